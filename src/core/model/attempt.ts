import type { GuardedFiles } from './guarded-files.ts'
import type { AttemptId, Commit, MilestoneId, RunId } from './ids.ts'
import type { AgentSettings, ContextSettings, GateSettings, JudgeSettings, WorkspaceSettings } from './settings.ts'
import type { Milestone, Task } from './task.ts'
import type { Price } from './usage.ts'
import type { Workflow } from './workflow.ts'

/** Inputs of an attempt, given when it starts. */
export interface AttemptSpec {
  readonly attempt: AttemptId
  readonly run: RunId
  /** Number of the attempt, counted per task and repository. */
  readonly number: number
  /** Exactly one task. */
  readonly tasks: readonly Task[]
  readonly milestone: Milestone | null
  /** Summaries of the milestones directly before that one. */
  readonly before: readonly MilestoneSummary[]
  readonly target: string
  /** Commit that the work starts from. */
  readonly base: Commit
  readonly agent: AgentSettings
  readonly context: ContextSettings
  readonly workflow: Workflow
  /** Agents by phase, where they differ from `agent`. */
  readonly agents: Readonly<Record<string, AgentSettings>>
  readonly gates: readonly GateSettings[]
  readonly guard: GuardedFiles
  /** Phases, or `landing`, that need a person's approval first. */
  readonly breakpoints: readonly string[]
  readonly workspace: WorkspaceSettings
  /** Judge that is asked for opinions, or null when there is none. */
  readonly judge: JudgeSettings | null
  readonly bounds: AttemptBounds
  /** Money this attempt may spend and the budget it comes from, or null for no limit. */
  readonly allowance: Allowance | null
  readonly prices: Readonly<Record<string, Price>>
  /** Prompts by name that replace the built-in ones. */
  readonly prompts: Readonly<Record<string, string>>
  /** True when the project is also tested in a browser. */
  readonly uiTests: boolean
  /** Lessons of earlier attempts at the task, or null for a first attempt. */
  readonly retryBrief: string | null
  /** Knowledge from earlier tasks that may matter here, or ''. */
  readonly knowledge: string
  /** Commands of `verify` that passed before an earlier attempt. Absent in old ledgers. */
  readonly alreadyGreen?: readonly string[]
}

/** Part of an attempt's inputs that follows the settings between rounds; its agent, workflow and workspace stay. */
export type AttemptRules = Pick<
  AttemptSpec,
  'context' | 'gates' | 'guard' | 'breakpoints' | 'judge' | 'bounds' | 'prices' | 'prompts' | 'uiTests'
>

/** Finished milestone, with the digest of its summary. */
export interface MilestoneSummary {
  readonly id: MilestoneId
  readonly title: string
  readonly summary: string
}

export interface Allowance {
  readonly usd: number
  readonly budget: 'task' | 'run' | 'day'
}

/** Limits of one attempt. */
export interface AttemptBounds {
  readonly turnsMax: number
  /** Reason for the number of turns. */
  readonly turnsWhy: string
  readonly turnRetries: number
  readonly turnMultiplier: number
  readonly handOffsMax: number
  readonly responseMs: number
  readonly taskMs: number
  readonly silenceMs: number
  readonly setupMs: number
  readonly hookMs: number
  readonly errorDelayMs: number
  readonly errorDelayMsMax: number
  readonly limitDelayMs: number
  readonly limitDelayMsMax: number
}

/** Limits of an attempt, from its task and from similar landed tasks. */
export interface AttemptLimits {
  /** Turns per round. */
  readonly turns: number
  readonly turnsWhy: string
  /** Time per round. */
  readonly roundMs: number
  readonly roundWhy: string
  /** Time that earlier attempts at the task have left. */
  readonly taskMs: number
}

/** Reason why an attempt waits; its slot, process and lane job are released meanwhile. */
export type WaitFor =
  | { readonly kind: 'limit'; readonly credential: string; readonly until: number; readonly estimated: boolean }
  | { readonly kind: 'retry'; readonly until: number }
  | PersonWait
  /** The run is paused. */
  | { readonly kind: 'pause' }

/** Kind of help a person is asked for: a yes or no, an answer, or an action followed by `retry`. */
export type AskKind = 'approval' | 'answer' | 'act'

/** Wait for a person. */
export interface PersonWait {
  readonly kind: 'person'
  readonly asks: AskKind
  /** For an approval: the phase, or `landing`, that it opens, or the phase that it completes. */
  readonly approvalPoint: string | null
  /** For an approval: keys of the findings that a yes accepts. */
  readonly allows: readonly string[]
  readonly question: string
  readonly hint: string
}

/** Cause of an attempt's end; decides whether and from which commit the next attempt starts. */
export type EndCause =
  | 'landed'
  | 'setup'
  | 'checks'
  | 'conflict'
  | 'no-progress'
  | 'rounds'
  | 'time'
  | 'timeout'
  | 'errors'
  | 'lost'
  | 'refused'
  | 'config'
  | 'hand-offs'
  | 'trouble'
  | 'stopped'

export type AttemptOutcome = 'landed' | 'failed' | 'abandoned'

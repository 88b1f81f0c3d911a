import type { AttemptId, Commit, MilestoneId, RunId } from './ids.ts'
import type { AgentSettings, ContextSettings, GateSettings, JudgeSettings, WorkspaceSettings } from './settings.ts'
import type { Milestone, Task } from './task.ts'
import type { Price } from './usage.ts'
import type { Workflow } from './workflow.ts'

/** Everything an attempt needs to know, fixed when it starts. */
export interface AttemptSpec {
  readonly attempt: AttemptId
  readonly run: RunId
  /** Counted per task and repository. */
  readonly number: number
  /** One task for now; a batch later. */
  readonly tasks: readonly Task[]
  readonly milestone: Milestone | null
  /** What the milestones right before that one came to. */
  readonly before: readonly MilestoneSummary[]
  readonly target: string
  /** The commit the work starts from. */
  readonly base: Commit
  readonly agent: AgentSettings
  readonly context: ContextSettings
  readonly workflow: Workflow
  /** The agents of phases that are not worked on by `agent` as it is. */
  readonly agents: Readonly<Record<string, AgentSettings>>
  readonly gates: readonly GateSettings[]
  /** Where a person is asked before the work goes on. */
  readonly breakpoints: readonly string[]
  readonly workspace: WorkspaceSettings
  /** Who is asked for an opinion; null: nobody. */
  readonly judge: JudgeSettings | null
  readonly bounds: AttemptBounds
  /** Money this attempt may spend, and which budget it comes from; null: no limit. */
  readonly allowance: Allowance | null
  readonly prices: Readonly<Record<string, Price>>
  /** Prompts by name, over those that ship. */
  readonly prompts: Readonly<Record<string, string>>
  /** Whether the project is tested in a browser, too. */
  readonly uiTests: boolean
  /** What earlier attempts learned. */
  readonly retryBrief: string | null
  /** What agents of earlier tasks learned that may matter here; '': nothing. */
  readonly knowledge: string
}

/** A milestone that is over, with the digest of its summary. */
export interface MilestoneSummary {
  readonly id: MilestoneId
  readonly title: string
  readonly summary: string
}

export interface Allowance {
  readonly usd: number
  readonly budget: 'task' | 'run' | 'day'
}

/** An attempt's own limits. */
export interface AttemptBounds {
  readonly turnsMax: number
  /** Why so many turns. */
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

/** How much an attempt may take, by its task and by what tasks like it took. */
export interface AttemptLimits {
  /** Turns per round. */
  readonly turns: number
  readonly turnsWhy: string
  /** Time per round. */
  readonly roundMs: number
  readonly roundWhy: string
  /** What the task's earlier attempts left of its time. */
  readonly taskMs: number
}

/** What an attempt waits for, with its slot, process and lane job given back. */
export type WaitFor =
  | { readonly kind: 'limit'; readonly credential: string; readonly until: number; readonly estimated: boolean }
  | { readonly kind: 'retry'; readonly until: number }
  | PersonWait
  /** The run is paused. */
  | { readonly kind: 'pause' }

/** What a person is asked for: a yes or no, an answer, or to settle something and say `retry`. */
export type AskKind = 'approval' | 'answer' | 'act'

/** Work that a person has to help on. */
export interface PersonWait {
  readonly kind: 'person'
  readonly asks: AskKind
  /** With an approval: the phase, or `landing`, that it lets the work go on to, or leave. */
  readonly gate: string | null
  /** With an approval: the findings that a yes lets be. */
  readonly allows: readonly string[]
  readonly question: string
  readonly hint: string
}

/** Why an attempt ended as it did; decides whether and from where the next one starts. */
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

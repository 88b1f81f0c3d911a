import type { AttemptOutcome } from '../../model/attempt.ts'
import type { RoundCause } from '../../model/attempt-event.ts'
import type { AttemptId, Commit, SessionId } from '../../model/ids.ts'
import type { Claim, RoundEndKind } from '../../model/round.ts'
import type { Tokens } from '../../model/usage.ts'
import type { Finding, Receipt } from '../../model/verdict.ts'
import type { Role } from '../../model/workflow.ts'

/** Full history of an attempt, in order; unknown values are null. */
export interface AttemptStory {
  readonly id: AttemptId
  readonly number: number
  readonly startedAt: string
  /** Reason for its start. */
  readonly why: string
  readonly base: Commit
  /** Branch with its work until it has landed. */
  readonly branch: string
  driver: string | null
  model: string | null
  endedAt: string | null
  /** Null while it is live. */
  outcome: AttemptOutcome | null
  /** Reason for its end or its wait. */
  reason: string | null
  readonly phases: { readonly at: string; readonly phase: string; readonly why: string }[]
  readonly rounds: RoundStory[]
  readonly sessions: SessionStory[]
  /** Checkpoints, each after a round. */
  readonly commits: { readonly at: string; readonly round: number; readonly commit: Commit; readonly files: number }[]
  readonly verdicts: VerdictStory[]
  /** Findings that sent the work back or stopped it. */
  readonly found: FoundStory[]
  readonly waits: { readonly at: string; readonly for: string; readonly reason: string }[]
  readonly notes: { readonly at: string; readonly text: string }[]
  /** Refs with work that is in no commit of the attempt. */
  salvage: readonly string[]
  /** Open findings at its end. */
  findings: readonly Finding[]
  readonly spent: Spent
}

/** A prompt and everything until the agent stopped. */
export interface RoundStory {
  readonly round: number
  readonly phase: string
  /** Role of its agent. */
  readonly role: Role
  /** Its number within the phase. */
  readonly phaseRound: number
  readonly session: SessionId
  readonly cause: RoundCause
  readonly startedAt: string
  endedAt: string | null
  end: RoundEndKind | null
  detail: string | null
  claim: Claim | null
  readonly turnsMax: number
  /** Explanation of the turn limit. */
  readonly turnsWhy: string
  readonly spent: Spent
}

/** A conversation with an agent. */
export interface SessionStory {
  readonly id: SessionId
  model: string | null
  openedAt: string | null
  state: 'active' | 'handed-off' | 'completed' | 'abandoned'
  rounds: number
  contextUsed: number | null
  contextSize: number | null
  /** Note for the next session. */
  note: string | null
  readonly spent: Spent
}

/** Result of the checks of a commit, in the attempt's workspace or on the merged tree. */
export interface VerdictStory {
  readonly at: string
  readonly on: 'workspace' | 'merged'
  readonly commit: Commit | null
  readonly passed: boolean
  readonly receipts: readonly Receipt[]
  readonly findings: readonly Finding[]
}

/** Findings after a round, from a phase or from landing. */
export interface FoundStory {
  readonly at: string
  readonly round: number
  readonly from: string
  readonly findings: readonly Finding[]
}

/** Usage; `usd` is null when a price is unknown. */
export interface Spent {
  usd: number | null
  turns: number
  tokens: { -readonly [Kind in keyof Tokens]: number }
}

/** Returns a zero usage. */
export function nothingSpent(): Spent {
  return { usd: 0, turns: 0, tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } }
}

/** Adds to a usage. */
export function spend(sum: Spent, { usd, turns, tokens }: Readonly<Spent>): void {
  sum.usd = sum.usd === null || usd === null ? null : sum.usd + usd
  sum.turns += turns
  sum.tokens.input += tokens.input
  sum.tokens.cacheRead += tokens.cacheRead
  sum.tokens.cacheWrite += tokens.cacheWrite
  sum.tokens.output += tokens.output
}

/** Formats a point in time for programs. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}

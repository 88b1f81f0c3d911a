import type { AttemptOutcome } from '../../model/attempt.ts'
import type { RoundCause } from '../../model/attempt-event.ts'
import type { AttemptId, Commit, SessionId } from '../../model/ids.ts'
import type { Claim, RoundEndKind } from '../../model/round.ts'
import type { Tokens } from '../../model/usage.ts'
import type { Finding, Receipt } from '../../model/verdict.ts'
import type { Role } from '../../model/workflow.ts'

/** Everything that is known of one attempt, in the order in which it happened; what is unknown is null. */
export interface AttemptStory {
  readonly id: AttemptId
  readonly number: number
  readonly startedAt: string
  /** Why it was started then. */
  readonly why: string
  readonly base: Commit
  /** Where its work can be looked at until it has landed. */
  readonly branch: string
  driver: string | null
  model: string | null
  endedAt: string | null
  /** null: it has not ended. */
  outcome: AttemptOutcome | null
  /** How it ended, or what it waits for. */
  reason: string | null
  readonly phases: { readonly at: string; readonly phase: string; readonly why: string }[]
  readonly rounds: RoundStory[]
  readonly sessions: SessionStory[]
  /** Each after a round. */
  readonly commits: { readonly at: string; readonly round: number; readonly commit: Commit; readonly files: number }[]
  readonly verdicts: VerdictStory[]
  /** What sent the work back, or stopped it. */
  readonly found: FoundStory[]
  readonly waits: { readonly at: string; readonly for: string; readonly reason: string }[]
  readonly notes: { readonly at: string; readonly text: string }[]
  /** Refs with work that no commit of the attempt has. */
  salvage: readonly string[]
  /** What was still to be mended when it ended. */
  findings: readonly Finding[]
  readonly spent: Spent
}

/** One prompt and everything until the agent stopped. */
export interface RoundStory {
  readonly round: number
  readonly phase: string
  /** What its agent was there for. */
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
  /** Why it may take so many turns. */
  readonly turnsWhy: string
  readonly spent: Spent
}

/** One conversation with an agent. */
export interface SessionStory {
  readonly id: SessionId
  model: string | null
  openedAt: string | null
  state: 'active' | 'handed-off' | 'completed' | 'abandoned'
  rounds: number
  contextUsed: number | null
  contextSize: number | null
  /** What it left for the next session. */
  note: string | null
  readonly spent: Spent
}

/** What the checks of one commit said, in the attempt's workspace or on the merged tree. */
export interface VerdictStory {
  readonly at: string
  readonly on: 'workspace' | 'merged'
  readonly commit: Commit | null
  readonly passed: boolean
  readonly receipts: readonly Receipt[]
  readonly findings: readonly Finding[]
}

/** What was found after a round, by a phase or at landing. */
export interface FoundStory {
  readonly at: string
  readonly round: number
  readonly from: string
  readonly findings: readonly Finding[]
}

/** What something has used up; `usd` null: the price of some of it is not known. */
export interface Spent {
  usd: number | null
  turns: number
  tokens: { -readonly [Kind in keyof Tokens]: number }
}

/** Nothing used up yet. */
export function nothingSpent(): Spent {
  return { usd: 0, turns: 0, tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } }
}

/** Adds to what was used up. */
export function spend(sum: Spent, { usd, turns, tokens }: Readonly<Spent>): void {
  sum.usd = sum.usd === null || usd === null ? null : sum.usd + usd
  sum.turns += turns
  sum.tokens.input += tokens.input
  sum.tokens.cacheRead += tokens.cacheRead
  sum.tokens.cacheWrite += tokens.cacheWrite
  sum.tokens.output += tokens.output
}

/** A moment as programs read it. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}

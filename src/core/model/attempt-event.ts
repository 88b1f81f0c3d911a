import type { AttemptOutcome, AttemptRules, AttemptSpec, EndCause, WaitFor } from './attempt.ts'
import type { Commit, SessionId, Tree } from './ids.ts'
import type { OpinionDecision, Quality } from './opinion.ts'
import type { RoundEnd } from './round.ts'
import type { SessionFact } from './session-fact.ts'
import type { ToolFact } from './tool-call.ts'
import type { Sample, Totals } from './usage.ts'
import type { Finding, Receipt } from './verdict.ts'

/** Grade of delivered work, as far as checks show. */
export type Assessment = 'success' | 'success-with-limits' | 'partial' | 'failed' | 'blocked'

/** Reason for a round; decides its prompt. */
export type RoundCause =
  | { readonly kind: 'brief' }
  | { readonly kind: 'continue'; readonly why: string }
  | { readonly kind: 'lost' }
  /** `from` is the phase that found them, or `landing`. */
  | { readonly kind: 'findings'; readonly from: string; readonly findings: readonly Finding[] }
  | { readonly kind: 'fresh-session'; readonly why: string }
  /** Asks a reviewer that has looked for its decision. */
  | { readonly kind: 'decide' }
  /** Asks again because the answer could not be read. */
  | { readonly kind: 'again'; readonly why: string }
  /** Passes on a person's answer to the agent's question. */
  | { readonly kind: 'answer'; readonly text: string }

/** Answer of a person to work that waits for them. */
export interface Answer {
  readonly kind: 'approved' | 'rejected' | 'answered'
  readonly text: string
}

/** Message of a run to an attempt. */
export type Message =
  | { readonly kind: 'resume'; readonly stretch: number; readonly why: string }
  | {
      readonly kind: 'landing-refused'
      readonly cause: 'conflict' | 'checks'
      readonly line: Commit
      readonly findings: readonly Finding[]
    }
  | { readonly kind: 'landed'; readonly commit: Commit }
  | { readonly kind: 'stop'; readonly cause: EndCause; readonly reason: string }
  /** Starts no new round until `resume`. */
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'steer'; readonly number: number; readonly text: string }
  /** The settings have changed. */
  | { readonly kind: 'settings'; readonly rules: AttemptRules }
  | { readonly kind: 'answer'; readonly answer: Answer }

/** Facts of one attempt. */
export type AttemptEvent =
  | ToolFact
  | SessionFact
  | { readonly kind: 'attempt-opened'; readonly spec: AttemptSpec }
  | { readonly kind: 'workspace-made'; readonly commit: Commit }
  /** The task's own commands run on the base before the first round. */
  | { readonly kind: 'verify-requested' }
  /** `alreadyGreen` are those that pass there, and so prove nothing by themselves. */
  | { readonly kind: 'verify-tried'; readonly alreadyGreen: readonly string[] }
  | { readonly kind: 'workspace-lost'; readonly reason: string; readonly commit: Commit }
  | { readonly kind: 'phase-entered'; readonly phase: string; readonly why: string }
  | {
      readonly kind: 'round-started'
      readonly round: number
      readonly phase: string
      /** Number of the round within its phase. */
      readonly phaseRound: number
      readonly session: SessionId
      readonly cause: RoundCause
      readonly turnsMax: number
      readonly deadlineAt: number
    }
  /** A person's words have reached the agent, with the prompt of a round or in its running session. */
  | {
      readonly kind: 'steering-delivered'
      readonly number: number
      readonly round: number
      readonly way: 'prompt' | 'session'
    }
  /** A person's words could not go into the running session; the next prompt has them. */
  | { readonly kind: 'steering-deferred'; readonly number: number; readonly round: number; readonly reason: string }
  | {
      readonly kind: 'round-ended'
      readonly round: number
      readonly end: RoundEnd
      readonly activeMs: number
      /** Cost of the round, or null when a call had no price. */
      readonly usd: number | null
      /** Usage of the attempt so far. */
      readonly totals: Totals
    }
  | {
      readonly kind: 'checkpoint-made'
      readonly commit: Commit
      readonly tree: Tree
      /** Files changed since the base. */
      readonly changed: number
      /** Protected files changed since the base. */
      /** Nested repositories, whose state is not part of the commit. */
      readonly nested: readonly string[]
      /** Digest of a description of the work so far, or null when it was not requested. */
      readonly history: string | null
    }
  /** Remark for people; no decision depends on it. */
  | { readonly kind: 'notice-recorded'; readonly text: string }
  | {
      readonly kind: 'verdict-given'
      readonly commit: Commit
      readonly passed: boolean
      readonly receipts: readonly Receipt[]
      readonly findings: readonly Finding[]
    }
  /** The judge is asked about work that has passed its checks. */
  | { readonly kind: 'opinion-requested'; readonly phase: string; readonly commit: Commit }
  /** Opinion and consequence; without scores the judge gave no opinion, and the checks alone decide. */
  | {
      readonly kind: 'opinion-given'
      readonly phase: string
      readonly commit: Commit
      readonly quality: Quality | null
      readonly confidence: number | null
      readonly decision: OpinionDecision
      readonly why: string
    }
  /** Grade of work whose turns ran out, or whose agent is blocked. */
  | { readonly kind: 'work-assessed'; readonly as: Assessment; readonly why: string }
  /** Text that a phase leaves to later ones, by its digest. */
  | { readonly kind: 'phase-output'; readonly phase: string; readonly text: string }
  /** The phase needs another prompt. */
  | { readonly kind: 'round-requested'; readonly cause: RoundCause }
  /** Work of a phase is ready for its checks. */
  | { readonly kind: 'work-submitted'; readonly phase: string; readonly why: string }
  /** `from` is the phase that found something, or `landing`; `to` is the phase that fixes it. */
  | {
      readonly kind: 'work-returned'
      readonly from: string
      readonly to: string
      readonly findings: readonly Finding[]
    }
  | { readonly kind: 'attempt-waiting'; readonly for: WaitFor; readonly reason: string }
  | { readonly kind: 'ready-to-land'; readonly commit: Commit; readonly tree: Tree }
  | { readonly kind: 'message-received'; readonly id: string; readonly message: Message }
  | {
      readonly kind: 'attempt-closing'
      readonly outcome: AttemptOutcome
      readonly cause: EndCause
      readonly reason: string
      readonly findings: readonly Finding[]
    }
  | { readonly kind: 'workspace-released'; readonly kept: boolean; readonly salvage: readonly string[] }
  | {
      readonly kind: 'attempt-ended'
      readonly outcome: AttemptOutcome
      readonly cause: EndCause
      readonly reason: string
      /** Phase that it ended in. */
      readonly phase: string
      /** Digest of the last hand-off note, or null when there is none. */
      readonly note: string | null
      readonly commit: Commit | null
      readonly totals: Totals
      /** Time of all rounds, and the longest round or null without rounds. */
      readonly activeMs: number
      readonly longest: Sample | null
      readonly findings: readonly Finding[]
    }

/** Facts about an attempt's progress through its phases. */
export type PhaseFact = Extract<
  AttemptEvent,
  {
    kind:
      | 'round-requested'
      | 'verdict-given'
      | 'ready-to-land'
      | `verify-${string}`
      | `work-${string}`
      | `phase-${string}`
      | `opinion-${string}`
  }
>

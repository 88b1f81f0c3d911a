import type { Allowance, AttemptOutcome, AttemptSpec, EndCause, WaitFor } from './attempt.ts'
import type { Commit, SessionId, Tree } from './ids.ts'
import type { OpinionDecision, Quality } from './opinion.ts'
import type { HandOverMoment, NoteQuality, RoundEnd, UsageReport } from './round.ts'
import type { ToolFact } from './tool-call.ts'
import type { Sample, Totals } from './usage.ts'
import type { Finding, Receipt } from './verdict.ts'

/** What has been delivered, as far as checks can tell. */
export type Assessment = 'success' | 'success-with-limits' | 'partial' | 'failed' | 'blocked'

/** Why a round is sent, which decides its prompt. */
export type RoundCause =
  | { readonly kind: 'brief' }
  | { readonly kind: 'continue'; readonly why: string }
  | { readonly kind: 'lost' }
  /** `from`: the phase that found them, or `landing`. */
  | { readonly kind: 'findings'; readonly from: string; readonly findings: readonly Finding[] }
  | { readonly kind: 'fresh-session'; readonly why: string }
  /** A review that has looked is to decide. */
  | { readonly kind: 'decide' }
  /** What was asked for could not be read. */
  | { readonly kind: 'again'; readonly why: string }
  /** A person has answered the agent's question. */
  | { readonly kind: 'answer'; readonly text: string }

/** What a person says to work that waits for them. */
export interface Answer {
  readonly kind: 'approved' | 'rejected' | 'answered'
  readonly text: string
}

/** What the run tells an attempt. */
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
  /** No new round until it is told to resume. */
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'steer'; readonly number: number; readonly text: string }
  | { readonly kind: 'answer'; readonly answer: Answer }

/** The facts of one attempt. */
export type AttemptEvent =
  | ToolFact
  | { readonly kind: 'attempt-opened'; readonly spec: AttemptSpec }
  | { readonly kind: 'workspace-made'; readonly commit: Commit }
  | { readonly kind: 'workspace-lost'; readonly reason: string; readonly commit: Commit }
  | { readonly kind: 'phase-entered'; readonly phase: string; readonly why: string }
  | {
      readonly kind: 'round-started'
      readonly round: number
      readonly phase: string
      /** The round's number within its phase. */
      readonly phaseRound: number
      readonly session: SessionId
      readonly cause: RoundCause
      readonly turnsMax: number
      readonly deadlineAt: number
    }
  | {
      readonly kind: 'session-opened'
      readonly session: SessionId
      readonly driver: string
      readonly model: string
      /** The version of the agent's program, where it tells it. */
      readonly cli: string | null
    }
  /** What a person said has gone to the agent, with the prompt of a round or into its running session. */
  | {
      readonly kind: 'steering-delivered'
      readonly number: number
      readonly round: number
      readonly way: 'prompt' | 'session'
    }
  /** What a person said could not go into the running session. */
  | { readonly kind: 'steering-deferred'; readonly number: number; readonly round: number; readonly reason: string }
  | { readonly kind: 'usage-observed'; readonly usage: UsageReport; readonly usd: number | null; readonly day: string }
  /** A session is nearly full; told once for each. */
  | {
      readonly kind: 'context-warned'
      readonly session: SessionId
      readonly used: number
      readonly size: number
      readonly share: number
    }
  /** The agent tells no usage: how full this session is stays unknown, and the work goes on. */
  | { readonly kind: 'context-untracked'; readonly session: SessionId }
  /** A full session has to make room for a fresh one. */
  | {
      readonly kind: 'hand-off-started'
      readonly session: SessionId
      readonly used: number
      readonly size: number
      readonly share: number
      readonly when: HandOverMoment
    }
  /** What a full session left for the next one, and what it had used up. */
  | {
      readonly kind: 'session-handed-off'
      readonly session: SessionId
      /** The digest of its note; null: it left none. */
      readonly note: string | null
      readonly quality: NoteQuality
      readonly totals: Totals
    }
  /** Half, or most, of what the attempt may spend is spent. */
  | {
      readonly kind: 'allowance-crossed'
      readonly budget: Allowance['budget']
      readonly share: number
      readonly usd: number
      readonly limitUsd: number
    }
  /** Nothing has been heard of the agent for a while; a heard sign of life, and the next silence is told again. */
  | { readonly kind: 'session-quiet'; readonly round: number; readonly silentMs: number; readonly activity: string }
  /** Something the agent wanted was refused by policy; told once for each such wish of an attempt. */
  | { readonly kind: 'tool-denied'; readonly round: number; readonly tool: string; readonly reason: string }
  | { readonly kind: 'context-compacted'; readonly session: SessionId; readonly trigger: string }
  /** The agent's own total of a round's money is not ours. */
  | { readonly kind: 'cost-drifted'; readonly round: number; readonly usd: number; readonly agentUsd: number }
  | {
      readonly kind: 'round-ended'
      readonly round: number
      readonly end: RoundEnd
      readonly activeMs: number
      /** The round's money; null: some call had no price. */
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
      readonly protectedChanged: readonly string[]
      /** Nested repositories whose state the commit does not hold. */
      readonly nested: readonly string[]
      /** The digest of what has been done so far, in words; null: nobody needs it. */
      readonly history: string | null
    }
  /** Something that a person may want to know, and nothing depends on. */
  | { readonly kind: 'notice-recorded'; readonly text: string }
  | {
      readonly kind: 'verdict-given'
      readonly commit: Commit
      readonly passed: boolean
      readonly receipts: readonly Receipt[]
      readonly findings: readonly Finding[]
    }
  /** Work that has passed its checks is shown to the judge. */
  | { readonly kind: 'opinion-requested'; readonly phase: string; readonly commit: Commit }
  /** What the judge thinks, and what follows; without figures it gave no opinion, and the checks alone decide. */
  | {
      readonly kind: 'opinion-given'
      readonly phase: string
      readonly commit: Commit
      readonly quality: Quality | null
      readonly confidence: number | null
      readonly decision: OpinionDecision
      readonly why: string
    }
  /** What the work comes to when its turns ran out on the way, or the agent is blocked. */
  | { readonly kind: 'work-assessed'; readonly as: Assessment; readonly why: string }
  /** What a phase leaves to those after it: the digest of its text. */
  | { readonly kind: 'phase-output'; readonly phase: string; readonly text: string }
  /** The phase goes on with another prompt. */
  | { readonly kind: 'round-requested'; readonly cause: RoundCause }
  /** An agent's work in a phase is there to be checked. */
  | { readonly kind: 'work-submitted'; readonly phase: string; readonly why: string }
  /** `from`: the phase that found something, or `landing`; `to`: the phase that mends it. */
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
      /** The digest of what its last session that handed over left; null: nothing. */
      readonly note: string | null
      readonly commit: Commit | null
      readonly totals: Totals
      /** Time of all rounds, and the longest round; null: there was none. */
      readonly activeMs: number
      readonly longest: Sample | null
      readonly findings: readonly Finding[]
    }

/** How far an attempt is on its way. */
export type PhaseFact = Extract<
  AttemptEvent,
  {
    kind:
      | 'round-requested'
      | 'verdict-given'
      | 'ready-to-land'
      | `work-${string}`
      | `phase-${string}`
      | `opinion-${string}`
  }
>

/** What a session says, uses and becomes. */
export type SessionFact = Extract<
  AttemptEvent,
  {
    kind:
      | `context-${string}`
      | 'session-opened'
      | 'session-quiet'
      | 'session-handed-off'
      | 'usage-observed'
      | 'tool-denied'
      | 'cost-drifted'
      | 'allowance-crossed'
      | 'hand-off-started'
  }
>

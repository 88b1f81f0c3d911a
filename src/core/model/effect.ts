import type { AttemptSpec } from './attempt.ts'
import type { Message } from './attempt-event.ts'
import type { AttemptId, Commit, LandingId, MilestoneId, SessionId, TaskId, Tree } from './ids.ts'
import type { HandOverMoment } from './round.ts'
import type { AgentSettings, ContextSettings, GateSettings, JudgeSettings, WorkspaceSettings } from './settings.ts'
import type { Task } from './task.ts'
import type { Receipt } from './verdict.ts'
import type { Role } from './workflow.ts'

/** What all effects have in common. */
export interface EffectBase {
  /** Derived from state: the same wish has the same id, also after a restart. */
  readonly id: string
  /** Repeatable ones are started again under the same id; once ones are reported lost. */
  readonly class: 'repeatable' | 'once'
  /** At most one effect at a time is under way in a room. */
  readonly room: string
  /** Whether it saves work, and so is still started while the engine stops. */
  readonly saves: boolean
}

/** What should be going on now for an attempt. */
export type AttemptEffect = EffectBase &
  (
    | { readonly kind: 'ensure-workspace'; readonly spec: AttemptSpec; readonly commit: Commit }
    | { readonly kind: 'run-round'; readonly round: RoundOrder }
    /** The session of the round that is going on makes room for a fresh one. */
    | { readonly kind: 'hand-over'; readonly attempt: AttemptId; readonly round: number; readonly when: HandOverMoment }
    /** A person's words, said into the session of the round that is going on. */
    | {
        readonly kind: 'deliver-steering'
        readonly attempt: AttemptId
        readonly round: number
        readonly number: number
        readonly text: string
      }
    | {
        readonly kind: 'checkpoint'
        readonly spec: AttemptSpec
        readonly message: string
        /** The commit to have when the workspace's HEAD has gone somewhere unrelated. */
        readonly last: Commit
        /** The commit that this one takes the place of; null: it comes after what is there. */
        readonly amends: Commit | null
        /** Whether it is to be told what has been done, for a session that knows nothing. */
        readonly includesHistory: boolean
      }
    | {
        readonly kind: 'run-checks'
        readonly spec: AttemptSpec
        readonly commit: Commit
        readonly tree: Tree
        readonly checks: readonly Check[]
      }
    /** Work that has passed its checks is shown to the judge. */
    | {
        readonly kind: 'ask-judge'
        readonly spec: AttemptSpec
        readonly commit: Commit
        readonly receipts: readonly Receipt[]
        readonly judge: JudgeSettings
      }
    | {
        readonly kind: 'release-workspace'
        readonly spec: AttemptSpec
        readonly landed: boolean
        readonly commit: Commit
      }
  )

/** One round, as the driver needs it. */
export interface RoundOrder {
  readonly attempt: AttemptId
  readonly task: Task
  readonly number: number
  readonly phase: string
  /** What the agent is there for; decides its tools. */
  readonly role: Role
  readonly phaseRound: number
  readonly round: number
  readonly session: SessionId
  /** Whether the agent is known to have this session already. */
  readonly sessionKnown: boolean
  /** What to say in a session that goes on. */
  readonly prompt: string
  /** What to say when the session has to be created. */
  readonly opening: string
  /** Digests of long texts that have a place in the opening. */
  readonly texts: readonly string[]
  /** How a session that has to hand over is asked for its note. */
  readonly noteRequest: string
  /** Under `hand-off` the agent never compacts by itself; under `compact` it does, with this guidance. */
  readonly context: { readonly policy: ContextSettings['policy']; readonly guidance: string }
  readonly agent: AgentSettings
  readonly turnsMax: number
  readonly silenceMs: number
  readonly hookMs: number
  readonly hooks: WorkspaceSettings['hooks']
  /** What is left of the allowance. */
  readonly budgetUsd: number | null
}

/** One command that must pass. */
export type Check = Pick<GateSettings, 'name' | 'run' | 'onFail' | 'timeoutMs' | 'coverage'>

/** What should be going on now for a run. */
export type RunEffect = EffectBase &
  (
    | { readonly kind: 'open-line'; readonly target: string }
    | {
        readonly kind: 'check-baseline'
        readonly commit: Commit
        readonly tree: Tree
        readonly checks: readonly Check[]
        readonly setting: CheckoutSetting
      }
    /** A milestone is over: what it came to is written down, by the judge or from these facts alone. */
    | {
        readonly kind: 'summarize-milestone'
        readonly milestone: MilestoneId
        readonly title: string
        readonly brief: string
        readonly facts: string
        readonly judge: JudgeSettings | null
        /** Why no judge is asked; '': one is. */
        readonly whyNoJudge: string
        readonly agent: AgentSettings
      }
    | { readonly kind: 'work-attempt'; readonly attempt: AttemptId; readonly spec: AttemptSpec }
    | {
        readonly kind: 'tell-attempt'
        readonly attempt: AttemptId
        readonly messageId: string
        readonly message: Message
      }
    | {
        readonly kind: 'prepare-candidate'
        readonly landing: LandingId
        readonly subject: LandingSubject
        readonly order: CandidateOrder
      }
    | {
        readonly kind: 'check-candidate'
        readonly landing: LandingId
        readonly target: string
        /** The line with the user's own new commits, which the work is compared with; null: it is no attempt's work. */
        readonly base: Commit | null
        readonly commit: Commit
        readonly tree: Tree
        readonly checks: readonly Check[]
        readonly setting: CheckoutSetting
      }
    | {
        readonly kind: 'advance-line'
        readonly landing: LandingId
        readonly target: string
        readonly from: Commit
        readonly to: Commit
      }
    | { readonly kind: 'follow-target'; readonly target: string; readonly commit: Commit; readonly lastSeen: Commit }
  )

/** How a clean checkout is made ready for checks. */
export interface CheckoutSetting {
  readonly setup: readonly string[]
  readonly setupMs: number
}

/** What a landing brings onto the line. */
export type LandingSubject =
  | { readonly kind: 'attempt'; readonly attempt: AttemptId; readonly commit: Commit }
  /** Undoes one landed commit of the line. */
  | { readonly kind: 'revert'; readonly task: TaskId; readonly commit: Commit }
  /** Nothing of ours: brings the line together with the user's own new commits on the target. */
  | { readonly kind: 'sync'; readonly commit: Commit }

export interface CandidateOrder {
  readonly target: string
  /** Where the line stands by the ledger. */
  readonly line: Commit
  /** The target's commit when we last saw it; gone from its history: rewritten by a person. */
  readonly lastTarget: Commit
  readonly mode: 'merge' | 'squash'
  readonly message: string
}

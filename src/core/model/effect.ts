import type { AttemptSpec } from './attempt.ts'
import type { Message } from './attempt-event.ts'
import type { GuardedFiles } from './guarded-files.ts'
import type { AttemptId, Commit, LandingId, MilestoneId, SessionId, TaskId, Tree } from './ids.ts'
import type { HandOverMoment } from './round.ts'
import type {
  AgentSettings,
  CanarySettings,
  ContextSettings,
  GateSettings,
  JudgeSettings,
  WorkspaceSettings,
} from './settings.ts'
import type { Task } from './task.ts'
import type { CanaryState, Receipt } from './verdict.ts'
import type { Role } from './workflow.ts'

/** Fields that all effects share. */
export interface EffectBase {
  /** Derived from state, so an effect keeps its id across restarts. */
  readonly id: string
  /** After a crash, `repeatable` effects restart under the same id and `once` effects are reported lost. */
  readonly class: 'repeatable' | 'once'
  /** Effects in the same room run one at a time. */
  readonly room: string
  /** True when it saves work, and so still starts while the engine stops. */
  readonly saves: boolean
}

/** Work that is due for an attempt. */
export type AttemptEffect = EffectBase &
  (
    | { readonly kind: 'ensure-workspace'; readonly spec: AttemptSpec; readonly commit: Commit }
    /** Runs the task's own commands on the base, to see which of them prove nothing. */
    | { readonly kind: 'try-verify'; readonly spec: AttemptSpec; readonly checks: readonly Check[] }
    | { readonly kind: 'run-round'; readonly round: RoundOrder }
    /** Makes the session of the running round hand over to a fresh one. */
    | { readonly kind: 'hand-over'; readonly attempt: AttemptId; readonly round: number; readonly when: HandOverMoment }
    /** Puts a person's words into the session of the running round. */
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
        /** Commit to build on when the workspace's HEAD points to an unrelated commit. */
        readonly last: Commit
        /** Commit to amend, or null to add a new one. */
        readonly amends: Commit | null
        /** True when the report has to describe the work so far, for a fresh session. */
        readonly includesHistory: boolean
      }
    | {
        readonly kind: 'run-checks'
        readonly spec: AttemptSpec
        readonly commit: Commit
        readonly tree: Tree
        readonly checks: readonly Check[]
      }
    /** Asks the judge about work that has passed its checks. */
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

/** Order for one round, as the driver needs it. */
export interface RoundOrder {
  readonly attempt: AttemptId
  readonly task: Task
  readonly number: number
  readonly phase: string
  /** Role of the agent; decides its tools. */
  readonly role: Role
  readonly phaseRound: number
  readonly round: number
  readonly session: SessionId
  /** True when the agent already has this session. */
  readonly sessionKnown: boolean
  /** Prompt for a session that continues. */
  readonly prompt: string
  /** Prompt for a session that has to be created. */
  readonly opening: string
  /** Digests of long texts that have placeholders in the opening. */
  readonly texts: readonly string[]
  /** Prompt that asks a session for its hand-off note. */
  readonly noteRequest: string
  /** Under `hand-off` the agent never compacts; under `compact` it does, with this guidance. */
  readonly context: { readonly policy: ContextSettings['policy']; readonly guidance: string }
  readonly agent: AgentSettings
  readonly turnsMax: number
  readonly silenceMs: number
  readonly hookMs: number
  readonly hooks: WorkspaceSettings['hooks']
  /** Rest of the allowance, or null for no limit. */
  readonly budgetUsd: number | null
}

/** Command that must pass. */
export interface Check extends Pick<GateSettings, 'name' | 'run' | 'onFail' | 'timeoutMs' | 'coverage'> {
  /** Null for a task's own command, which only has to pass. */
  readonly canary: CanarySettings | null
}

/** Work that is due for a run. */
export type RunEffect = EffectBase &
  (
    | { readonly kind: 'open-line'; readonly target: string }
    | {
        readonly kind: 'check-baseline'
        readonly commit: Commit
        /** Outcomes of canaries by definition, so that none is planted twice. */
        readonly canaries: ReadonlyMap<string, CanaryState>
        readonly tree: Tree
        readonly checks: readonly Check[]
        readonly setting: CheckoutSetting
      }
    /** Writes the summary of a finished milestone, by the judge or from these facts alone. */
    | {
        readonly kind: 'summarize-milestone'
        readonly milestone: MilestoneId
        readonly title: string
        readonly brief: string
        readonly facts: string
        readonly judge: JudgeSettings | null
        /** Reason why no judge is asked, or ''. */
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
        /** Files that the work may not change by itself. */
        readonly guard: GuardedFiles
        readonly canaries: ReadonlyMap<string, CanaryState>
        readonly target: string
        /** Line with the user's new commits, to compare the work with, or null when no attempt made the candidate. */
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

/** Setup of a clean checkout before checks. */
export interface CheckoutSetting {
  readonly setup: readonly string[]
  readonly setupMs: number
}

/** Change that a landing brings onto the line. */
export type LandingSubject =
  | { readonly kind: 'attempt'; readonly attempt: AttemptId; readonly commit: Commit }
  /** Reverts one landed commit of the line. */
  | { readonly kind: 'revert'; readonly task: TaskId; readonly commit: Commit }
  /** Merges the line with the user's new commits on the target; holds no work of an attempt. */
  | { readonly kind: 'sync'; readonly commit: Commit }

export interface CandidateOrder {
  readonly target: string
  /** Commit of the line according to the ledger. */
  readonly line: Commit
  /** Target commit that was seen last; when it is no longer in the target's history, a person rewrote the branch. */
  readonly lastTarget: Commit
  readonly mode: 'merge' | 'squash'
  readonly message: string
}

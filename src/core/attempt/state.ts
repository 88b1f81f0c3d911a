import type { SessionRecord } from '../context/session.ts'
import type { AgentReport } from '../model/agent-report.ts'
import type { AttemptOutcome, AttemptSpec, EndCause, WaitFor } from '../model/attempt.ts'
import type { Answer, RoundCause } from '../model/attempt-event.ts'
import type { Commit, Tree } from '../model/ids.ts'
import type { HandOverMoment, RoundEnd } from '../model/round.ts'
import { NO_TOTALS, type Sample, type Totals } from '../model/usage.ts'
import type { Finding, Receipt } from '../model/verdict.ts'
import type { Steering } from '../prompts/steering.ts'
import { noToolCalls, type ToolCallTally } from './tool-calls.ts'

/** Current activity of an attempt. */
export type Doing =
  | { readonly kind: 'unopened' }
  /** `after` is the activity to resume once the workspace exists again. */
  | { readonly kind: 'workspace'; readonly commit: Commit; readonly after: Doing }
  /** The task's own commands run on the base. */
  | { readonly kind: 'trying-verify' }
  | { readonly kind: 'between'; readonly next: RoundCause }
  | {
      readonly kind: 'round'
      readonly round: number
      readonly cause: RoundCause
      readonly startedAt: number
      readonly deadlineAt: number
      readonly turnsMax: number
      /** Moment at which the session has to hand over, or null when it need not. */
      readonly handOver: HandOverMoment | null
    }
  | { readonly kind: 'checkpoint'; readonly end: RoundEnd }
  | { readonly kind: 'checking'; readonly commit: Commit; readonly tree: Tree }
  /** The judge looks at work that has passed its checks. */
  | { readonly kind: 'asking-judge'; readonly commit: Commit; readonly tree: Tree }
  | {
      readonly kind: 'waiting'
      readonly for: WaitFor | { readonly kind: 'slot' }
      readonly next: RoundCause
      /** Answer of a person and the point that it was asked at, kept until a slot is free. */
      readonly answer?: { readonly answer: Answer; readonly approvalPoint: string | null }
    }
  | { readonly kind: 'landing'; readonly commit: Commit }
  | { readonly kind: 'closing'; readonly outcome: AttemptOutcome; readonly cause: EndCause; readonly reason: string }
  | { readonly kind: 'ended'; readonly outcome: AttemptOutcome; readonly cause: EndCause; readonly reason: string }

/** State of an attempt, folded from its ledger. Owned and changed by `evolve` alone. */
export interface AttemptState {
  spec: AttemptSpec | null
  doing: Doing
  phase: string
  rounds: number
  /** Rounds per phase; counting continues when work returns to a phase. */
  readonly phaseRounds: Record<string, number>
  /** Rounds per phase that a full window or an engine crash ended; they have separate limits. */
  readonly spared: Record<string, number>
  /** Model calls of the running round. */
  roundTurns: number
  /** Cost of the running round, or null when a call had no price. */
  roundUsd: number | null
  lostRounds: number
  /** Consecutive agent errors. */
  errors: number
  limitHits: number
  timeouts: number
  turnRetries: number
  returns: number
  handOffs: number
  workspaces: number
  checkpoints: number
  verdicts: number
  opinions: number
  readonly sessions: SessionRecord[]
  /** Last of the sessions. */
  session: SessionRecord | null
  /** Digests that the previous session left for this one. */
  handOff: { readonly note: string | null; readonly history: string | null } | null
  /** Last report of each kind, with its round. */
  readonly reports: Partial<Record<AgentReport['kind'], { readonly round: number; readonly report: AgentReport }>>
  /** Digests of the texts that phases left for later ones. */
  readonly outputs: Map<string, string>
  /** Keys of findings that a person has approved. */
  readonly approved: Set<string>
  /** True when the running review has to decide. */
  isDeciding: boolean
  /** Number of repeated requests in this stay in the phase, because an answer could not be read. */
  asksAgain: number
  /** Reviews with findings, and the key of the last one's findings. */
  reviews: number
  lastReview: string | null
  /** Commands of `verify` that passed before the work. */
  alreadyGreen: readonly string[]
  commit: Commit | null
  /** Last commit, when the next checkpoint amends it. */
  amendable: Commit | null
  tree: Tree | null
  /** Commit on the line that contains the work. */
  landedAs: Commit | null
  lastReturn: { readonly tree: Tree | null; readonly key: string } | null
  findings: readonly Finding[]
  /** Receipts of the last verdict. */
  receipts: readonly Receipt[]
  activeMs: number
  /** Maximum of turns and maximum of time over all rounds. */
  longest: Sample
  /** True when the last round ran out of turns. */
  isCutOff: boolean
  /** Largest share of the allowance that has been reported. */
  allowanceWarned: number
  totals: Totals
  /** True when some usage had no price. */
  unpriced: boolean
  /** True while the run is paused; no new round starts. */
  isPausing: boolean
  /** Words of a person about the task, in order. */
  readonly steering: Steering[]
  /** Tool calls of the agents. */
  readonly toolCalls: ToolCallTally
  readonly usageSeen: Set<string>
  /** Tools and reasons of refused actions. */
  readonly denials: Set<string>
  /** Hosts that the current or last round was refused. */
  readonly refusedHosts: Set<string>
  readonly messagesReceived: Set<string>
}

/** Returns the state before the first fact. */
export function newAttempt(): AttemptState {
  return {
    spec: null,
    doing: { kind: 'unopened' },
    phase: '',
    rounds: 0,
    phaseRounds: {},
    spared: {},
    roundTurns: 0,
    roundUsd: 0,
    lostRounds: 0,
    errors: 0,
    limitHits: 0,
    timeouts: 0,
    turnRetries: 0,
    returns: 0,
    handOffs: 0,
    workspaces: 0,
    checkpoints: 0,
    verdicts: 0,
    opinions: 0,
    sessions: [],
    session: null,
    handOff: null,
    reports: {},
    outputs: new Map(),
    approved: new Set(),
    isDeciding: false,
    asksAgain: 0,
    reviews: 0,
    lastReview: null,
    alreadyGreen: [],
    commit: null,
    amendable: null,
    tree: null,
    landedAs: null,
    lastReturn: null,
    findings: [],
    receipts: [],
    activeMs: 0,
    longest: { turns: 0, ms: 0 },
    isCutOff: false,
    allowanceWarned: 0,
    totals: NO_TOTALS,
    unpriced: false,
    isPausing: false,
    steering: [],
    toolCalls: noToolCalls(),
    usageSeen: new Set(),
    denials: new Set(),
    refusedHosts: new Set(),
    messagesReceived: new Set(),
  }
}

/** Returns the spec of an opened attempt. */
export function specOf(state: AttemptState): AttemptSpec {
  if (state.spec === null) throw new Error('the attempt has not been opened')
  return state.spec
}

/** True when the attempt only waits for a message. */
export function isResting(state: AttemptState): boolean {
  return ['unopened', 'waiting', 'landing', 'ended'].includes(state.doing.kind)
}

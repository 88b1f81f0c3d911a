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

/** What an attempt is at, one thing at a time. */
export type Doing =
  | { readonly kind: 'unopened' }
  /** `after`: what a workspace that had vanished interrupted. */
  | { readonly kind: 'workspace'; readonly commit: Commit; readonly after: Doing }
  | { readonly kind: 'between'; readonly next: RoundCause }
  | {
      readonly kind: 'round'
      readonly round: number
      readonly cause: RoundCause
      readonly startedAt: number
      readonly deadlineAt: number
      readonly turnsMax: number
      /** Whether the session is to make room, and how soon. */
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
      /** A person's answer, and the gate that it is about, until there is a slot for what follows. */
      readonly answer?: { readonly answer: Answer; readonly gate: string | null }
    }
  | { readonly kind: 'landing'; readonly commit: Commit }
  | { readonly kind: 'closing'; readonly outcome: AttemptOutcome; readonly cause: EndCause; readonly reason: string }
  | { readonly kind: 'ended'; readonly outcome: AttemptOutcome; readonly cause: EndCause; readonly reason: string }

/** An opened attempt, folded from its ledger. Owned and changed by `evolve` alone. */
export interface AttemptState {
  spec: AttemptSpec | null
  doing: Doing
  phase: string
  rounds: number
  /** Rounds of each phase so far; they go on counting when work comes back to it. */
  readonly phaseRounds: Record<string, number>
  /** Rounds of each phase that a full window or a crash of ours ended: they have limits of their own. */
  readonly spared: Record<string, number>
  /** Model calls within the round that is going on. */
  roundTurns: number
  /** Money for the round that is going on; null: some call had no price. */
  roundUsd: number | null
  lostRounds: number
  /** Agent errors in a row. */
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
  /** The last of the sessions. */
  session: SessionRecord | null
  /** What the session before left for this one. */
  handOff: { readonly note: string | null; readonly history: string | null } | null
  /** The last report of each kind, and the round that gave it. */
  readonly reports: Partial<Record<AgentReport['kind'], { readonly round: number; readonly report: AgentReport }>>
  /** Digests of what phases left to those after them. */
  readonly outputs: Map<string, string>
  /** Findings that a person has let be. */
  readonly approved: Set<string>
  /** Whether the review that is going on is to decide. */
  isDeciding: boolean
  /** How often something was asked for again in this stay in the phase, because it could not be read. */
  asksAgain: number
  /** Reviews that found something, and what the last of them found. */
  reviews: number
  lastReview: string | null
  commit: Commit | null
  /** The last commit, where the next one is to take its place. */
  amendable: Commit | null
  tree: Tree | null
  /** The commit of the line that has the work. */
  landedAs: Commit | null
  lastReturn: { readonly tree: Tree | null; readonly key: string } | null
  findings: readonly Finding[]
  /** Of the last verdict. */
  receipts: readonly Receipt[]
  activeMs: number
  /** The turns of the round with most of them, and the time of the one that took longest. */
  longest: Sample
  /** Whether the last round ended because its turns were used up. */
  isCutOff: boolean
  /** The largest share of the allowance that has been told. */
  allowanceWarned: number
  totals: Totals
  /** Whether some usage had no price. */
  unpriced: boolean
  /** Whether the run is paused: no new round. */
  isPausing: boolean
  /** What a person has said about the task, in order. */
  readonly steering: Steering[]
  /** What agents have said through our tools. */
  readonly toolCalls: ToolCallTally
  readonly usageSeen: Set<string>
  /** What the agent wanted and was refused. */
  readonly denials: Set<string>
  readonly messagesReceived: Set<string>
}

/** An attempt of which nothing is known yet. */
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
    messagesReceived: new Set(),
  }
}

/** The spec of an attempt that has been opened. */
export function specOf(state: AttemptState): AttemptSpec {
  if (state.spec === null) throw new Error('the attempt has not been opened')
  return state.spec
}

/** Whether nothing goes on in it until somebody tells it something. */
export function isResting(state: AttemptState): boolean {
  return ['unopened', 'waiting', 'landing', 'ended'].includes(state.doing.kind)
}

import type { Activity } from '../core/model/activity.ts'
import type { AgentReport, AnswerForm } from '../core/model/agent-report.ts'
import type { RoundOrder } from '../core/model/effect.ts'
import type { SessionId } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { HandOverMoment, RoundEnd, UsageReport } from '../core/model/round.ts'
import type { ToolAccess } from './agent-tools.ts'

/** Speaks to one kind of agent. */
export interface AgentDriver {
  readonly name: string
  readonly capabilities: Capabilities
  /** Whether a round with this order could start here and now; asked before a run. */
  ready(order: Pick<RoundOrder, 'agent'>): Promise<Problem | null>
  start(spec: RoundSpec): AgentRound
}

/** What an agent of this kind can do. */
export interface Capabilities {
  readonly resume: boolean
  readonly steer: boolean
  readonly contextSize: boolean
  readonly cost: boolean
  readonly maxTurns: boolean
  readonly structuredErrors: boolean
  /** Whether it can call our tools. */
  readonly tools: boolean
  /** Whether it can be made to give its last answer in a form. */
  readonly forms: boolean
}

/** One round, and where it takes place. */
export interface RoundSpec {
  readonly order: RoundOrder
  /** The workspace's folder. */
  readonly folder: string
  /** How the agent reaches our tools; a secret. Null: it has none in this round. */
  readonly tools: ToolAccess | null
  /** The form in which the agent is to give its last answer. Null: it answers in words. */
  readonly form: AnswerForm | null
}

/** A round under way. */
export interface AgentRound {
  /** Ends with exactly one `ended` event, always last. */
  readonly events: AsyncIterable<AgentEvent>
  /** Ends the round and its whole process tree; `ended` still comes, and the iteration ends. */
  cancel(reason: 'cancelled' | 'timeout'): void
  /**
   * Asks the session to make room for a fresh one: it stops at the next tool boundary or at once, is asked for its note
   * with the order's `noteRequest`, and the round ends as `context-exhausted`. Asking again is harmless.
   */
  handOver(when: HandOverMoment): void
  /** Puts a person's text into the running session; false: this round cannot take it (any more). */
  say(text: string): boolean
}

export type AgentEvent =
  /** `cli`: the version of the agent's program, where it tells it. */
  | {
      readonly kind: 'session-opened'
      readonly session: SessionId
      readonly model: string
      readonly cli: string | null
    }
  | { readonly kind: 'usage'; readonly usage: UsageReport }
  | { readonly kind: 'activity'; readonly activity: Activity }
  /** Something the agent wanted was refused by policy; it has been told. */
  | { readonly kind: 'denied'; readonly tool: string; readonly reason: string }
  /** The agent has compacted its own context. */
  | { readonly kind: 'compacted'; readonly trigger: string }
  /** The agent's own total for the calls of this round, at a clean end only; held against what we priced. */
  | { readonly kind: 'cost'; readonly usd: number }
  /** The agent's last words of the round, whole, and what it reports in its form; those told last count. */
  | { readonly kind: 'answer'; readonly text: string; readonly report: AgentReport | null }
  /** One line of the agent's own output, for the transcript. */
  | { readonly kind: 'raw'; readonly line: string }
  | { readonly kind: 'ended'; readonly end: RoundEnd }

import type { RoundOrder } from '../core/model/effect.ts'
import type { SessionId } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { RoundEnd, UsageReport } from '../core/model/round.ts'

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
}

/** One round, and where it takes place. */
export interface RoundSpec {
  readonly order: RoundOrder
  /** The workspace's folder. */
  readonly folder: string
}

/** A round under way. */
export interface AgentRound {
  /** Ends with exactly one `ended` event, always last. */
  readonly events: AsyncIterable<AgentEvent>
  /** Ends the round and its whole process tree; `ended` still comes, and the iteration ends. */
  cancel(reason: 'cancelled' | 'timeout'): void
}

export type AgentEvent =
  | { readonly kind: 'session-opened'; readonly session: SessionId; readonly model: string }
  | { readonly kind: 'usage'; readonly usage: UsageReport }
  | { readonly kind: 'activity'; readonly activity: Activity }
  /** One line of the agent's own output, for the transcript. */
  | { readonly kind: 'raw'; readonly line: string }
  | { readonly kind: 'ended'; readonly end: RoundEnd }

/** What a session is doing. */
export type Activity =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'streaming' }
  | { readonly kind: 'tool'; readonly name: string }

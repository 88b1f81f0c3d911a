import type { Activity } from '../core/model/activity.ts'
import type { AgentReport, AnswerForm } from '../core/model/agent-report.ts'
import type { RoundOrder } from '../core/model/effect.ts'
import type { SessionId } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { HandOverMoment, RoundEnd, UsageReport } from '../core/model/round.ts'
import type { RefusedHost } from '../core/sandbox/network-access.ts'
import type { ToolAccess } from './agent-tools.ts'

/** Runs one kind of agent. */
export interface AgentDriver {
  readonly name: string
  readonly capabilities: Capabilities
  /** Returns why no round with this agent could start now, or null; asked before a run. */
  ready(order: Pick<RoundOrder, 'agent'>): Promise<Problem | null>
  start(spec: RoundSpec): AgentRound
}

/** Abilities of one kind of agent. */
export interface Capabilities {
  readonly resume: boolean
  readonly steer: boolean
  readonly contextSize: boolean
  readonly cost: boolean
  readonly maxTurns: boolean
  readonly structuredErrors: boolean
  /** True when it can call Longhaul's tools. */
  readonly tools: boolean
  /** True when its last answer can be requested in a form. */
  readonly forms: boolean
}

/** Order for one round, with its folder, tools and form. */
export interface RoundSpec {
  readonly order: RoundOrder
  /** Folder of the workspace. */
  readonly folder: string
  /** Access to Longhaul's tools, which is secret; null when the agent has none in this round. */
  readonly tools: ToolAccess | null
  /** Form of the last answer, or null when the agent answers in words. */
  readonly form: AnswerForm | null
  /** Receives each host that the sandbox refuses to the agent and its commands, also repeatedly. */
  onHostRefused(refused: RefusedHost): void
}

/** Round that has been started. */
export interface AgentRound {
  /** Ends with exactly one `ended` event, always last. */
  readonly events: AsyncIterable<AgentEvent>
  /** Ends the round and its whole process tree; `ended` still follows, and the iteration ends. */
  cancel(reason: 'cancelled' | 'timeout'): void
  /**
   * Asks the session to hand over to a new one: it stops at the next tool boundary or now, is asked for its note with
   * the order's `noteRequest`, and the round ends as `context-exhausted`. Asking again is harmless.
   */
  handOver(when: HandOverMoment): void
  /** Sends a person's text to the running session; false when the round cannot take it (any more). */
  say(text: string): boolean
}

export type AgentEvent =
  /** `cli`: version of the agent's program, or null when unknown. */
  | {
      readonly kind: 'session-opened'
      readonly session: SessionId
      readonly model: string
      readonly cli: string | null
    }
  | { readonly kind: 'usage'; readonly usage: UsageReport }
  | { readonly kind: 'activity'; readonly activity: Activity }
  /** Policy refused a tool call; the agent has got the reason. */
  | { readonly kind: 'denied'; readonly tool: string; readonly reason: string }
  /** The agent has compacted its own context. */
  | { readonly kind: 'compacted'; readonly trigger: string }
  /** Total cost of this round as the agent counts it, at a clean end only; compared with our own figure. */
  | { readonly kind: 'cost'; readonly usd: number }
  /** Last answer of the round, in words and in its form; a later one replaces an earlier one. */
  | { readonly kind: 'answer'; readonly text: string; readonly report: AgentReport | null }
  /** Line of the agent's raw output, for the transcript. */
  | { readonly kind: 'raw'; readonly line: string }
  | { readonly kind: 'ended'; readonly end: RoundEnd }

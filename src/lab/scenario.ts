import type { Reset } from '../core/limits/reset-time.ts'
import type { ModelUsage, RequestOrigin } from './dialect.ts'

/** Script for the lab's model. */
export interface Scenario {
  /** Usage of answers whose step has none, or null to estimate it. */
  readonly usage: ModelUsage | null
  /** The first rule that matches wins. */
  readonly rules: readonly ScenarioRule[]
}

/** Steps for prompts that match; null matches everything. */
export interface ScenarioRule {
  /** Glob of task ids. */
  readonly task: string | null
  /** Phase of the prompt; null matches coding phases and prompts that are not from Longhaul. */
  readonly phase: string | null
  readonly attempt: number | null
  /** Number of the session among those of its task, attempt and phase. */
  readonly session: number | null
  /** Number of the prompt within its session. */
  readonly round: number | null
  /** Text in the prompt, in upper or lower case. */
  readonly match: string | null
  readonly from: RequestOrigin
  readonly steps: readonly ScenarioStep[]
}

/** Step of the model, with the usage it reports and a fault. */
export interface ScenarioStep {
  readonly act: Act
  /** Null for the scenario's default; `none` when the answer reports no usage. */
  readonly usage: ModelUsage | 'none' | null
  readonly fault: ScenarioFault | null
}

export type Act =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'report'; readonly claim: 'done' | 'blocked' | 'continue'; readonly reason: string }
  | ToolAct

/** Step that needs a tool of the agent. */
export type ToolAct =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly kind: 'run'; readonly command: string }
  /** Fills in the form for the last answer. */
  | { readonly kind: 'answer'; readonly form: Readonly<Record<string, unknown>> }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

/** Fault of a step, for every request or only for the first ones. */
export interface ScenarioFault {
  readonly fault: ModelFault
  /** Number of requests that it applies to, or null for all. */
  readonly times: number | null
}

export type ModelFault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterS: number | null
      readonly message: string | null
    }
  /** Usage limit; every request before its end is refused. */
  | { readonly kind: 'limit'; readonly reset: Reset }
  | { readonly kind: 'slow'; readonly chunkMs: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'refuse' }
  /** Answer that is cut off at the token limit. */
  | { readonly kind: 'truncate' }

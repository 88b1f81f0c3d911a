import type { Reset } from '../core/limits/reset-time.ts'
import type { Asker, ModelUsage } from './dialect.ts'

/** What the lab's model does, and when. */
export interface Scenario {
  /** What an answer says that it used, where its step says nothing; null: estimated from sizes. */
  readonly usage: ModelUsage | null
  /** The first that fits wins. */
  readonly rules: readonly ScenarioRule[]
}

/** What is done about one prompt; null fits everything. */
export interface ScenarioRule {
  /** A glob of task ids. */
  readonly task: string | null
  /** The phase whose prompts it is for; null: those of the work itself, and what is not Longhaul's. */
  readonly phase: string | null
  readonly attempt: number | null
  /** The session's number among those of its task, attempt and phase. */
  readonly session: number | null
  /** The prompt's number within its session. */
  readonly round: number | null
  /** A text in the prompt, in capitals or not. */
  readonly match: string | null
  readonly from: Asker
  readonly steps: readonly ScenarioStep[]
}

/** One thing the model does, what it says that this used, and what goes wrong on the way. */
export interface ScenarioStep {
  readonly act: Act
  /** Null: as for all steps; `none`: the answer says nothing about it. */
  readonly usage: ModelUsage | 'none' | null
  readonly fault: ScenarioFault | null
}

export type Act =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'report'; readonly claim: 'done' | 'blocked' | 'continue'; readonly reason: string }
  | ToolAct

/** What needs a tool of the agent's. */
export type ToolAct =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly kind: 'run'; readonly command: string }
  /** Fills in the form that the agent is given for its last answer. */
  | { readonly kind: 'answer'; readonly form: Readonly<Record<string, unknown>> }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

/** What goes wrong: each time the step is asked for, or only the first times. */
export interface ScenarioFault {
  readonly what: Trouble
  /** Null: each time. */
  readonly times: number | null
}

export type Trouble =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterS: number | null
      readonly message: string | null
    }
  /** A usage limit that is over at a moment; until then every try is refused. */
  | { readonly kind: 'limit'; readonly reset: Reset }
  | { readonly kind: 'slow'; readonly chunkMs: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'refuse' }
  /** The answer is as long as answers may be, and ends there. */
  | { readonly kind: 'truncate' }

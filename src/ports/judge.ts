import type { Problem } from '../core/model/problem.ts'
import type { JudgeUsage } from '../core/model/round.ts'
import type { AgentSettings, JudgeSettings } from '../core/model/settings.ts'

/** A model that is asked for an opinion. Nothing ever depends on its answer alone. */
export interface Judge {
  /**
   * Only where it can be asked by one at a time: settles when nobody else is being answered, or when it is called off, and
   * gives how to let the next one in. The time for an answer begins then.
   */
  readonly turn?: (signal: AbortSignal) => Promise<() => void>
  /** What it says, or why it says nothing of use. Never rejects, and ends at once when it is called off. */
  ask(question: Question, signal: AbortSignal, used: OnJudgeUsage): Promise<string | Problem>
}

/** Hears what a call used up, also one whose answer is of no use; a judge that costs nothing tells nothing. */
export type OnJudgeUsage = (usage: JudgeUsage) => void

/** What a judge is asked, and which model answers. */
export interface Question {
  readonly judge: JudgeSettings
  /** The agent of the settings, which answers where it is the judge itself. */
  readonly agent: AgentSettings
  /** What the model is there for, and the form of its answer. */
  readonly system: string
  readonly prompt: string
  /** How long the answer may be. */
  readonly tokensMax: number
}

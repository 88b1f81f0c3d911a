import type { Problem } from '../core/model/problem.ts'
import type { JudgeUsage } from '../core/model/round.ts'
import type { AgentSettings, JudgeSettings } from '../core/model/settings.ts'

/** Model that is asked for an opinion. Nothing ever depends on its answer alone. */
export interface Judge {
  /**
   * Only for judges that answer one question at a time: resolves when the judge is idle or the wait is cancelled, and
   * returns a function that lets the next caller in. The time limit of an answer starts then.
   */
  readonly waitForTurn?: (signal: AbortSignal) => Promise<() => void>
  /** Returns the answer, or the problem that prevented one. Never rejects, and ends immediately when cancelled. */
  ask(question: Question, signal: AbortSignal, onUsage: OnJudgeUsage): Promise<string | Problem>
}

/** Called with the usage of each model call, also of one without a usable answer; never called by a free judge. */
export type OnJudgeUsage = (usage: JudgeUsage) => void

/** Question for a judge, and the model that answers it. */
export interface Question {
  readonly judge: JudgeSettings
  /** Agent of the settings, which answers when the judge is `agent`. */
  readonly agent: AgentSettings
  /** System prompt: the model's role and the format of its answer. */
  readonly system: string
  readonly prompt: string
  /** Length limit of the answer in tokens. */
  readonly tokensMax: number
}

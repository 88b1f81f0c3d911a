import type { HandOverMoment } from '../core/model/round.ts'
import type { AgentRound } from '../ports/agent-driver.ts'

/** The round that an attempt has going, for whatever has to reach its agent meanwhile. */
export class GoingRound {
  #round: AgentRound | null = null
  #waiting: (() => void)[] = []

  begun(round: AgentRound): void {
    this.#round = round
    for (const begun of this.#waiting.splice(0)) begun()
  }

  over(): void {
    this.#round = null
  }

  handOver(when: HandOverMoment): void {
    this.#round?.handOver(when)
  }

  /** Says something into the session once there is one; null: called off before that. */
  async say(text: string, signal: AbortSignal): Promise<boolean | null> {
    if (this.#round === null && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    return signal.aborted || this.#round === null ? null : this.#round.say(text)
  }
}

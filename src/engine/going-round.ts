import type { HandOverMoment } from '../core/model/effect.ts'
import type { AgentRound } from '../ports/agent-driver.ts'

/** The round that an attempt has going, for whatever has to reach its agent meanwhile. */
export class GoingRound {
  #round: AgentRound | null = null

  begun(round: AgentRound): void {
    this.#round = round
  }

  over(): void {
    this.#round = null
  }

  handOver(when: HandOverMoment): void {
    this.#round?.handOver(when)
  }
}

import type { AttemptState } from '../core/attempt/state.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import type { AttemptInput, Decision } from '../core/model/input.ts'
import type { HandOverMoment } from '../core/model/round.ts'
import type { RunState } from '../core/run/state.ts'
import type { AgentRound } from '../ports/agent-driver.ts'

/** Open attempt, as its effects see it. */
export interface OpenAttempt {
  readonly round: CurrentRound
  /** `isEmpty` is true after its processes were ended, until an effect starts new ones. */
  readonly workspace: { isEmpty: boolean }
  state(): AttemptState
  run(): RunState
  /** Queues an input; resolves when its events are durable, or to null when the engine has stopped. */
  post(input: AttemptInput, blobs?: ReadonlyMap<string, string>): Promise<Decision<AttemptEvent> | null>
}

/** Round that is running in an attempt, for effects that have to reach its agent. */
export class CurrentRound {
  #round: AgentRound | null = null
  #waitingForStart: (() => void)[] = []

  started(round: AgentRound): void {
    this.#round = round
    for (const resolve of this.#waitingForStart.splice(0)) resolve()
  }

  ended(): void {
    this.#round = null
  }

  handOver(when: HandOverMoment): void {
    this.#round?.handOver(when)
  }

  /** Sends text to the agent as soon as a round is running; null when cancelled before that. */
  async say(text: string, signal: AbortSignal): Promise<boolean | null> {
    if (this.#round === null && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waitingForStart.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    return signal.aborted || this.#round === null ? null : this.#round.say(text)
  }
}

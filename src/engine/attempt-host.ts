import type { AttemptSpec } from '../core/model/attempt.ts'
import type { AttemptId } from '../core/model/ids.ts'
import type { AttemptInput } from '../core/model/input.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { AttemptLoop, type AttemptOwner } from './drive-attempt.ts'
import type { Machines } from './machines.ts'

/** The attempts that are open in this process, each driven by one loop. */
export class AttemptHost {
  readonly #ports: EnginePorts
  readonly #machine: Machines['attempt']
  readonly #owner: AttemptOwner
  readonly #open = new Map<AttemptId, Promise<AttemptLoop>>()

  constructor(ports: EnginePorts, machine: Machines['attempt'], owner: AttemptOwner) {
    this.#ports = ports
    this.#machine = machine
    this.#owner = owner
  }

  /** Works on an attempt until it rests, or is called off. */
  async work(spec: AttemptSpec, signal: AbortSignal): Promise<void> {
    const loop = await this.#loopOf(spec.attempt)
    await loop.begin(spec)
    await loop.untilRest(signal)
    await this.#retire(loop)
  }

  /** Brings an attempt a message; its ledger has it when this settles. */
  async tell(attempt: AttemptId, input: Extract<AttemptInput, { kind: 'message' }>): Promise<void> {
    const loop = await this.#loopOf(attempt)
    await loop.post(input)
    await this.#retire(loop)
  }

  /** Whether nothing is under way in any attempt. */
  async isIdle(): Promise<boolean> {
    const loops = await Promise.all(this.#open.values())
    return loops.every((loop) => loop.isIdle)
  }

  /** The attempts that are open now, as far as they are opened. */
  loops(): Promise<readonly AttemptLoop[]> {
    return Promise.all(this.#open.values())
  }

  async drain(): Promise<void> {
    for (const loop of await this.loops()) await loop.go('draining')
  }

  async interrupt(reason: string): Promise<void> {
    await Promise.all((await this.loops()).map((loop) => loop.interrupt(reason)))
  }

  async close(): Promise<void> {
    const loops = await Promise.allSettled(this.#open.values())
    this.#open.clear()
    await Promise.all(loops.map((loop) => (loop.status === 'fulfilled' ? loop.value.close() : undefined)))
  }

  #loopOf(attempt: AttemptId): Promise<AttemptLoop> {
    const known = this.#open.get(attempt)
    if (known !== undefined) return known
    const opening = AttemptLoop.open(this.#ports, this.#machine, attempt, this.#owner)
    this.#open.set(attempt, opening)
    opening.catch(() => this.#open.delete(attempt))
    return opening
  }

  /** Lets go of an attempt that rests; opened again when there is something for it. */
  async #retire(loop: AttemptLoop): Promise<void> {
    if (!loop.isAtRest) return
    this.#open.delete(loop.attempt)
    await loop.close()
  }
}

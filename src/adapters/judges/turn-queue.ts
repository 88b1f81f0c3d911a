/** Lets callers in one at a time, in the order they came. */
export class TurnQueue {
  #free: Promise<unknown> = Promise.resolve()
  #running: Promise<unknown> = Promise.resolve()

  /** Waits until all earlier turns have ended or the signal aborts; returns a function that ends this turn. */
  async waitForTurn(signal: AbortSignal): Promise<() => void> {
    const before = this.#free
    let endTurn = () => {}
    const ended = new Promise<void>((resolve) => {
      endTurn = resolve
    })
    this.#free = before.then(() => ended).then(() => this.#running)
    await Promise.race([before, whenAborted(signal)])
    return endTurn
  }

  /** Keeps the turn taken until the work has ended, even when its caller no longer waits for it. */
  hold<T>(work: Promise<T>): Promise<T> {
    this.#running = work.catch(() => {}) // the caller gets the error
    return work
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Lets one in after another, in the order in which they came. */
export class Queue {
  #free: Promise<unknown> = Promise.resolve()
  #going: Promise<unknown> = Promise.resolve()

  /** Settles when everybody before has left, or when it is called off; gives how to leave. */
  async next(signal: AbortSignal): Promise<() => void> {
    const before = this.#free
    let leave = () => {}
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    this.#free = before.then(() => left).then(() => this.#going)
    await Promise.race([before, whenAborted(signal)])
    return leave
  }

  /** What is done in a turn: the next one waits for its end, also where nobody waits for its outcome any more. */
  whole<T>(done: Promise<T>): Promise<T> {
    this.#going = done.catch(() => {}) // told to whoever asked
    return done
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Queue with one asynchronous reader. */
export class AsyncQueue<T> {
  readonly #waiting: T[] = []
  #isClosed = false
  #wake: () => void = () => {}

  push(item: T): void {
    this.#waiting.push(item)
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *items(): AsyncGenerator<T, void> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next !== undefined) yield next
      else if (this.#isClosed) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}

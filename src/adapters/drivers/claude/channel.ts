/** Takes what is told at any time and gives it to one listener, in order. */
export class Channel<T> {
  readonly #waiting: T[] = []
  #isClosed = false
  #wake: () => void = () => {}

  tell(told: T): void {
    this.#waiting.push(told)
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *listen(): AsyncGenerator<T, void> {
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

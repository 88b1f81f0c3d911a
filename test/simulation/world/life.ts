/** One engine process: what it calls is answered only while it lives. */
export class Life {
  readonly number: number
  #isAlive = true

  constructor(number: number) {
    this.number = number
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  kill(): void {
    this.#isAlive = false
  }

  /** The promise's value, as long as somebody is there to have it. */
  heard<T>(value: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      value.then(
        (got) => this.#isAlive && resolve(got),
        (error) => this.#isAlive && reject(error),
      )
    })
  }
}

/** A call of a dead process never returns. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => {})
}

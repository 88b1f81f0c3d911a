/** Simulated engine process; its calls return only while it lives. */
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
}

/** Returns a promise that never settles: the call of a dead process. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => {})
}

import type { LineReader } from './tally.ts'

/** Gives each line to the readers that want it, by its first character; most lines nobody wants. */
export class LineDispatch {
  readonly #readers: readonly LineReader[]
  /** For each first character, one bit per reader that wants such lines. */
  readonly #wanted = new Map<number, number>()
  readonly #wantedAscii = new Uint32Array(ASCII)
  /** One bit per reader that wants every line now. */
  #open = 0

  constructor(readers: readonly LineReader[]) {
    this.#readers = readers
    for (const [index, { starts }] of readers.entries()) {
      for (const character of starts) {
        const code = character.charCodeAt(0)
        const bits = (this.#wanted.get(code) ?? 0) | (1 << index)
        this.#wanted.set(code, bits)
        if (code < ASCII) this.#wantedAscii[code] = bits
      }
    }
  }

  isWanted(first: number): boolean {
    return this.#open !== 0 || this.#bitsOf(first) !== 0
  }

  /** The place of the reader for which the line summed up tests, or null. */
  give(line: string): number | null {
    let summedUp: number | null = null
    for (let bits = this.#open | this.#bitsOf(line.charCodeAt(0)); bits !== 0; bits &= bits - 1) {
      const index = 31 - Math.clz32(bits & -bits)
      const reader = this.#readers[index]
      if (reader?.take(line)) summedUp = index
      this.#open = reader?.isOpen ? this.#open | (1 << index) : this.#open & ~(1 << index)
    }
    return summedUp
  }

  #bitsOf(first: number): number {
    return (first < ASCII ? this.#wantedAscii[first] : this.#wanted.get(first)) ?? 0
  }
}

const ASCII = 128

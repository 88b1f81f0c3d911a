import type { LineReader } from './tally.ts'

/** Gives each line to the readers that want it, by its first characters; most lines nobody wants. */
export class LineDispatch {
  readonly #readers: readonly LineReader[]
  readonly #starts: Wishes
  readonly #indented: Wishes
  /** One bit per reader that wants every line now. */
  #open = 0

  constructor(readers: readonly LineReader[]) {
    this.#readers = readers
    this.#starts = new Wishes(readers.map(({ starts }) => starts))
    this.#indented = new Wishes(readers.map(({ indented }) => indented))
  }

  /** The readers that want the line at this place of a text, as bits; 0: it need not be looked at. */
  wanted(text: string, start: number): number {
    const first = text.charCodeAt(start)
    if (first !== SPACE) return this.#open | this.#starts.of(first)
    let place = start + 1
    while (text.charCodeAt(place) === SPACE) place += 1
    return this.#open | this.#indented.of(text.charCodeAt(place))
  }

  /** The place of the reader for which the line summed up tests, or null. */
  give(line: string, wanted: number): number | null {
    let summedUp: number | null = null
    for (let bits = wanted; bits !== 0; bits &= bits - 1) {
      const index = 31 - Math.clz32(bits & -bits)
      const reader = this.#readers[index]
      if (reader?.take(line)) summedUp = index
      this.#open = reader?.isOpen ? this.#open | (1 << index) : this.#open & ~(1 << index)
    }
    return summedUp
  }
}

/** Who wants what: for each character, one bit per reader. */
class Wishes {
  readonly #ascii = new Uint32Array(ASCII)
  readonly #others = new Map<number, number>()

  constructor(wishes: readonly string[]) {
    for (const [index, characters] of wishes.entries()) {
      for (const character of characters) this.#add(character.charCodeAt(0), 1 << index)
    }
  }

  of(code: number): number {
    return (code < ASCII ? this.#ascii[code] : this.#others.get(code)) ?? 0
  }

  #add(code: number, bit: number): void {
    if (code < ASCII) this.#ascii[code] = this.of(code) | bit
    else this.#others.set(code, this.of(code) | bit)
  }
}

const ASCII = 128
const SPACE = 0x20

/** Reads some of the lines of an output. */
export interface LineReader {
  /** First characters of lines that it wants at any time. */
  readonly starts: string
  /** First characters after the spaces of indented lines that it wants at any time. */
  readonly indentedStarts?: string
  /** True when it wants lines that end with a percentage: " [ 50%]". */
  readonly wantsPercentages?: boolean
  /** True in the middle of something, when it wants every line. */
  readonly isOpen: boolean
  /** Reads one line; true when the line is worth reporting. */
  read(line: string): boolean
}

/**
 * Offers each line to the readers that may want it, by its first character. Most lines of a long output are wanted by
 * none, and are not even cut out of it.
 */
export class LineReaders {
  readonly #readers: readonly LineReader[]
  readonly #byStart = new ByCharacter()
  readonly #byIndentedStart = new ByCharacter()
  /** Readers of lines that end with a percentage, as bits. */
  #byEnd = 0
  /** Readers in the middle of something, as bits. */
  #open = 0

  constructor(readers: readonly LineReader[]) {
    this.#readers = readers
    for (const [at, { starts, indentedStarts = '', wantsPercentages, isOpen }] of readers.entries()) {
      this.#byStart.add(starts, 1 << at)
      this.#byIndentedStart.add(indentedStarts, 1 << at)
      if (isOpen) this.#open |= 1 << at
      if (wantsPercentages) this.#byEnd |= 1 << at
    }
  }

  /** Reads all lines of a text that ends with a line end; reports each reader that returned true. */
  read(text: string, onRead: (reader: LineReader) => void): void {
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const wanting = start === end ? this.#open : this.#wanting(text, start, end)
      if (wanting !== 0) this.#offer(text.slice(start, end), wanting, onRead)
      start = end + 1
    }
  }

  #wanting(text: string, start: number, end: number): number {
    const byEnd = text.charCodeAt(end - 1) === CLOSING_BRACKET ? this.#byEnd : 0
    let code = text.charCodeAt(start)
    if (code !== SPACE) return this.#byStart.of(code) | byEnd | this.#open
    let at = start
    while (code === SPACE) {
      at += 1
      code = text.charCodeAt(at)
    }
    return this.#byIndentedStart.of(code) | byEnd | this.#open
  }

  #offer(line: string, wanting: number, onRead: (reader: LineReader) => void): void {
    for (let rest = wanting; rest !== 0; rest &= rest - 1) {
      const at = 31 - Math.clz32(rest & -rest)
      const reader = this.#readers[at]
      if (reader === undefined) return
      if (reader.read(line)) onRead(reader)
      if (reader.isOpen) this.#open |= 1 << at
      else this.#open &= ~(1 << at)
    }
  }
}

/** Readers by the character that they want, as bits. */
class ByCharacter {
  readonly #ascii = new Int32Array(ASCII)
  readonly #others = new Map<number, number>()

  add(characters: string, bit: number): void {
    for (const character of characters) {
      const code = character.charCodeAt(0)
      if (code < ASCII) this.#ascii[code] = (this.#ascii[code] ?? 0) | bit
      else this.#others.set(code, (this.#others.get(code) ?? 0) | bit)
    }
  }

  of(code: number): number {
    return (code < ASCII ? this.#ascii[code] : this.#others.get(code)) ?? 0
  }
}

const ASCII = 128
const SPACE = 0x20
const CLOSING_BRACKET = 0x5d

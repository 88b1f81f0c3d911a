/** What is written before a mark, and what the mark says. */
export class MarkedOutput {
  /** What the mark says; null: it has not come. */
  mark: string | null = null
  readonly #mark: RegExp
  readonly #bytesMax: number
  readonly #overflow: () => void
  readonly #chunks: Buffer[] = []
  #tail: Buffer = Buffer.alloc(0)
  #bytes = 0
  #markLength = 0

  constructor(mark: RegExp, bytesMax: number, overflow: () => void) {
    this.#mark = mark
    this.#bytesMax = bytesMax
    this.#overflow = overflow
  }

  take(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-MARK_BYTES_MAX)]).subarray(-MARK_BYTES_MAX)
    const found = this.#mark.exec(this.#tail.toString('latin1'))
    this.mark = found?.[1] ?? null
    this.#markLength = found?.[0].length ?? 0
    if (this.#bytes - this.#markLength <= this.#bytesMax) this.#chunks.push(chunk)
    else this.#overflow()
  }

  /** Everything before the mark; what is past the bound is left out. */
  text(): Buffer {
    const whole = Buffer.concat(this.#chunks)
    const end = Math.min(this.#bytes - this.#markLength, this.#bytesMax)
    return whole.subarray(0, Math.max(0, end))
  }
}

const MARK_BYTES_MAX = 64

/** Collects output up to a mark, and the word that follows the mark. */
export class MarkedOutput {
  /** Word after the mark; null until the mark has come. */
  mark: string | null = null
  readonly #mark: Buffer
  readonly #word: RegExp
  readonly #bytesMax: number
  readonly #overflow: () => void
  readonly #chunks: Buffer[] = []
  #tail: Buffer = Buffer.alloc(0)
  #bytes = 0
  #markedAt: number | null = null

  /** `word` matches the text right after the mark; its first group is kept. */
  constructor(mark: string, word: RegExp, bytesMax: number, overflow: () => void) {
    this.#mark = Buffer.from(mark)
    this.#word = word
    this.#bytesMax = bytesMax
    this.#overflow = overflow
  }

  /** Takes a chunk. Output after the mark comes from a leftover process and is dropped. */
  take(chunk: Buffer): void {
    if (this.mark !== null) return
    this.#search(Buffer.concat([this.#tail, chunk]), this.#bytes - this.#tail.length)
    this.#bytes += chunk.length
    if ((this.#markedAt ?? this.#bytes) <= this.#bytesMax) this.#chunks.push(chunk)
    else this.#overflow()
  }

  #search(seen: Buffer, startsAt: number): void {
    const at = seen.indexOf(this.#mark)
    const after = at + this.#mark.length
    const match = at < 0 ? null : this.#word.exec(seen.toString('latin1', after, after + WORD_BYTES_MAX))
    this.#tail = Buffer.from(seen.subarray(-(this.#mark.length + WORD_BYTES_MAX)))
    if (match === null) return
    this.mark = match[1] ?? ''
    this.#markedAt = startsAt + at
  }

  /** Returns the output before the mark, up to the bound. */
  text(): Buffer {
    return Buffer.concat(this.#chunks).subarray(0, Math.min(this.#markedAt ?? this.#bytes, this.#bytesMax))
  }
}

const WORD_BYTES_MAX = 16

/** What is written before a mark, and what the mark says. */
export class MarkedOutput {
  /** What the mark says; null: it has not come. */
  mark: string | null = null
  readonly #mark: Buffer
  readonly #says: RegExp
  readonly #bytesMax: number
  readonly #overflow: () => void
  readonly #chunks: Buffer[] = []
  #tail: Buffer = Buffer.alloc(0)
  #bytes = 0
  #markedAt: number | null = null

  /** `says` fits what follows the mark at once; its first group is kept. */
  constructor(mark: string, says: RegExp, bytesMax: number, overflow: () => void) {
    this.#mark = Buffer.from(mark)
    this.#says = says
    this.#bytesMax = bytesMax
    this.#overflow = overflow
  }

  /** What comes after the mark is somebody's who was left behind, maybe in the same breath: it is not listened to. */
  take(chunk: Buffer): void {
    if (this.mark !== null) return
    this.#look(Buffer.concat([this.#tail, chunk]), this.#bytes - this.#tail.length)
    this.#bytes += chunk.length
    if ((this.#markedAt ?? this.#bytes) <= this.#bytesMax) this.#chunks.push(chunk)
    else this.#overflow()
  }

  #look(seen: Buffer, startsAt: number): void {
    const at = seen.indexOf(this.#mark)
    const after = at + this.#mark.length
    const said = at < 0 ? null : this.#says.exec(seen.toString('latin1', after, after + SAID_BYTES_MAX))
    this.#tail = Buffer.from(seen.subarray(-(this.#mark.length + SAID_BYTES_MAX)))
    if (said === null) return
    this.mark = said[1] ?? ''
    this.#markedAt = startsAt + at
  }

  /** Everything before the mark; what is past the bound is left out. */
  text(): Buffer {
    return Buffer.concat(this.#chunks).subarray(0, Math.min(this.#markedAt ?? this.#bytes, this.#bytesMax))
  }
}

const SAID_BYTES_MAX = 16

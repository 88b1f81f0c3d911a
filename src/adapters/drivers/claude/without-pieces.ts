import { Transform, type TransformCallback } from 'node:stream'

// A model writes an answer in hundreds of pieces, and the agent passes each of them on as a message. Nobody here reads
// them: the whole answer follows, and what it used is in the messages that open and close it. Taking them for messages
// would be most of what an engine does.

/** What an agent prints, byte for byte, without the lines that are pieces of an answer under way. */
export class WithoutPieces extends Transform {
  readonly #pieceCame: () => void
  /** The beginning of a line, until it is long enough to tell. */
  #begun: Buffer = EMPTY
  #isKept: boolean | null = null

  /** Tells when pieces come: the agent is alive. */
  constructor(pieceCame: () => void) {
    super()
    this.#pieceCame = pieceCame
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const kept: Buffer[] = []
    let hasPieces = false
    for (let start = 0; start < chunk.length; ) {
      const lineEnd = chunk.indexOf(NEWLINE, start) + 1
      const end = lineEnd === 0 ? chunk.length : lineEnd
      kept.push(this.#take(chunk.subarray(start, end), lineEnd > 0))
      hasPieces ||= this.#isKept === false
      if (lineEnd > 0) this.#isKept = null
      start = end
    }
    if (hasPieces) this.#pieceCame()
    done(null, Buffer.concat(kept))
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#begun)
  }

  /** What goes on of a part of a line. */
  #take(part: Buffer, isWhole: boolean): Buffer {
    if (this.#isKept !== null) return this.#isKept ? part : EMPTY
    const begun = this.#begun.length === 0 ? part : Buffer.concat([this.#begun, part])
    const tells = begun.length >= LONGEST || isWhole
    this.#isKept = tells ? !isPiece(begun) : null
    this.#begun = tells ? EMPTY : begun
    return this.#isKept === true ? begun : EMPTY
  }
}

const NEWLINE = 10
const EMPTY = Buffer.alloc(0)
const BEGINNINGS = ['content_block_start', 'content_block_delta', 'content_block_stop', 'message_stop'].map((type) =>
  Buffer.from(`{"type":"stream_event","event":{"type":"${type}"`),
)
const LONGEST = Math.max(...BEGINNINGS.map(({ length }) => length))

/** Whatever begins otherwise is none, and so is all that another version may write in another way. */
function isPiece(line: Buffer): boolean {
  return BEGINNINGS.some((beginning) => line.subarray(0, beginning.length).equals(beginning))
}

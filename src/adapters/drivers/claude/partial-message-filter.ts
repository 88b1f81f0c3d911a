import { Transform, type TransformCallback } from 'node:stream'

// Claude Code prints each answer as hundreds of partial messages. They are not needed: the whole answer follows, and its
// usage is in the messages at its start and end. Parsing them would take most of the engine's CPU time.

/** Removes the lines with partial messages from an agent's output, and leaves all other bytes unchanged. */
export class PartialMessageFilter extends Transform {
  readonly #onPartial: () => void
  /** Start of a line that is too short to be classified. */
  #pending: Buffer = EMPTY
  #isKept: boolean | null = null

  /** Calls back on partial messages, which show that the agent is alive. */
  constructor(onPartial: () => void) {
    super()
    this.#onPartial = onPartial
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const kept: Buffer[] = []
    let hasPartial = false
    for (let start = 0; start < chunk.length; ) {
      const lineEnd = chunk.indexOf(NEWLINE, start) + 1
      const end = lineEnd === 0 ? chunk.length : lineEnd
      kept.push(this.#filter(chunk.subarray(start, end), lineEnd > 0))
      hasPartial ||= this.#isKept === false
      if (lineEnd > 0) this.#isKept = null
      start = end
    }
    if (hasPartial) this.#onPartial()
    done(null, Buffer.concat(kept))
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#pending)
  }

  /** Returns the bytes to pass on for a part of a line. */
  #filter(part: Buffer, isWhole: boolean): Buffer {
    if (this.#isKept !== null) return this.#isKept ? part : EMPTY
    const line = this.#pending.length === 0 ? part : Buffer.concat([this.#pending, part])
    const isClear = line.length >= PREFIX_LENGTH_MAX || isWhole
    this.#isKept = isClear ? !isPartial(line) : null
    this.#pending = isClear ? EMPTY : line
    return this.#isKept === true ? line : EMPTY
  }
}

const NEWLINE = 10
const EMPTY = Buffer.alloc(0)
const PREFIXES = ['content_block_start', 'content_block_delta', 'content_block_stop', 'message_stop'].map((type) =>
  Buffer.from(`{"type":"stream_event","event":{"type":"${type}"`),
)
const PREFIX_LENGTH_MAX = Math.max(...PREFIXES.map(({ length }) => length))

// Lines in another format, such as that of another version, pass unchanged.
function isPartial(line: Buffer): boolean {
  return PREFIXES.some((prefix) => line.subarray(0, prefix.length).equals(prefix))
}

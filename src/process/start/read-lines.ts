/** Line of a program's output; of a line over the cap only the size. */
export type OutputLine =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too-long'; readonly bytes: number }

/** Splits bytes into lines, the last one with or without a line break. Invalid UTF-8 is replaced. */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  { lineMax = LINE_BYTES_MAX }: { readonly lineMax?: number } = {},
): AsyncGenerator<OutputLine, void, undefined> {
  const current = new UnfinishedLine(lineMax)
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield current.finish(chunk, start, end)
      start = end + 1
    }
    if (start < chunk.length) current.add(chunk.subarray(start))
  }
  if (current.bytes > 0) yield current.finish(EMPTY, 0, 0)
}

const LINE_BYTES_MAX = 64 * 1024 * 1024
const NEWLINE = 10
const CARRIAGE_RETURN = 13
const EMPTY = Buffer.alloc(0)

class UnfinishedLine {
  bytes = 0
  private parts: Buffer[] = []
  private readonly lineMax: number

  constructor(lineMax: number) {
    this.lineMax = lineMax
  }

  add(part: Buffer): void {
    this.bytes += part.length
    if (this.bytes > this.lineMax) this.parts = []
    else this.parts.push(part)
  }

  finish(chunk: Buffer, start: number, end: number): OutputLine {
    if (this.bytes === 0 && end - start <= this.lineMax) return line(chunk, start, end)
    this.add(chunk.subarray(start, end))
    const { bytes, parts } = this
    this.bytes = 0
    this.parts = []
    return bytes > this.lineMax ? { kind: 'too-long', bytes } : line(Buffer.concat(parts, bytes), 0, bytes)
  }
}

function line(bytes: Buffer, start: number, end: number): OutputLine {
  const stop = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end
  return { kind: 'line', text: bytes.toString('utf8', start, stop) }
}

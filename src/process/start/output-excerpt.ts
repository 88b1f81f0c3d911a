/** Keeps the beginning and the end of a long output, and counts the bytes left out between them. */
export class OutputExcerpt {
  /** Number of bytes added. */
  bytes = 0
  private readonly headMax: number
  private readonly tailMax: number
  private head = EMPTY
  private tail: Buffer[] = []
  private tailBytes = 0

  constructor(bytesMax: number) {
    this.headMax = Math.ceil(bytesMax / 2)
    this.tailMax = bytesMax - this.headMax
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    const room = this.headMax - this.head.length
    if (room > 0) this.head = Buffer.concat([this.head, chunk.subarray(0, room)])
    if (chunk.length > room) this.addToTail(chunk.subarray(Math.max(0, room)))
  }

  text(): string {
    const tail = this.tailMax === 0 ? EMPTY : Buffer.concat(this.tail).subarray(-this.tailMax)
    if (this.head.length + tail.length === this.bytes) return Buffer.concat([this.head, tail]).toString()
    const first = withoutCutEnd(this.head)
    const last = withoutCutStart(tail)
    return `${first}\n[${this.bytes - first.length - last.length} bytes left out]\n${last}`
  }

  private addToTail(chunk: Buffer): void {
    this.tail.push(chunk)
    this.tailBytes += chunk.length
    for (let oldest = this.tail[0]; oldest !== undefined; oldest = this.tail[0]) {
      if (this.tailBytes - oldest.length < this.tailMax) return
      this.tailBytes -= oldest.length
      this.tail.shift()
    }
  }
}

const EMPTY = Buffer.alloc(0)
const CHARACTER_BYTES_MAX = 4

function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(CHARACTER_BYTES_MAX, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (!isContinuation(byte)) return back < characterBytes(byte) ? bytes.subarray(0, -back) : bytes
  }
  return bytes
}

function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < CHARACTER_BYTES_MAX - 1 && isContinuation(bytes[start] ?? 0)) start += 1
  return bytes.subarray(start)
}

// UTF-8: the first byte of a character gives its length, every further one starts with the bits 10.
function characterBytes(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WithoutPieces } from './without-pieces.ts'

function streamed(type: string, more = ''): string {
  return `{"type":"stream_event","event":{"type":"${type}"${more}},"uuid":"u"}`
}

const START = streamed('message_start', ',"message":{"id":"m"}')
const DELTA = streamed('message_delta', ',"usage":{"output_tokens":5}')
const BLOCK = streamed('content_block_start', ',"index":0')
const PIECE = streamed('content_block_delta', ',"delta":{"text":"grö\\nße"}')
const BLOCK_END = streamed('content_block_stop')
const END = streamed('message_stop')
const ANSWER = '{"type":"assistant","message":{"content":[{"type":"text","text":"größe"}]}}'

/** What comes out of these bytes, cut into chunks at some places, and how often pieces came. */
async function passed(bytes: Buffer, cuts: readonly number[] = []) {
  let came = 0
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
  const out = await buffer(
    Readable.from(chunks, { objectMode: false }).pipe(
      new WithoutPieces(() => {
        came += 1
      }),
    ),
  )
  return { text: out.toString(), came }
}

function lines(...all: readonly string[]): Buffer {
  return Buffer.from(all.map((line) => `${line}\n`).join(''))
}

test('pieces are left out, and everything else stays as it is', async () => {
  const { text, came } = await passed(lines(START, BLOCK, PIECE, PIECE, ANSWER, BLOCK_END, DELTA, END))
  expect(text).toBe(lines(START, ANSWER, DELTA).toString())
  expect(came).toBe(1)
  expect(await passed(lines(START, ANSWER, DELTA))).toEqual({ text, came: 0 })
})

test('wherever the bytes are cut, the same comes out', async () => {
  const line = fc.constantFrom(START, BLOCK, PIECE, ANSWER, BLOCK_END, DELTA, END, '', '{', 'rubbish', '{"type":"str')
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat()), fc.boolean(), async (all, cuts, isEnded) => {
      const bytes = isEnded ? lines(...all) : Buffer.from(all.join('\n'))
      const isPiece = (text: string) => [BLOCK, PIECE, BLOCK_END, END].includes(text)
      const kept = all.filter((text) => !isPiece(text)).map((text) => `${text}\n`)
      const { text } = await passed(bytes, cuts)
      // The last line of a text that is not ended has no line break.
      const isOpen = !isEnded && all.length > 0 && !isPiece(all.at(-1) ?? '')
      expect(text).toBe(isOpen ? kept.join('').slice(0, -1) : kept.join(''))
    }),
  )
})

test('a line of ten megabytes and bytes that are no text pass unharmed', async () => {
  const bytes = Buffer.concat([Buffer.alloc(10_000_000, 'x'), Buffer.from([10, 0xff, 0xfe, 10])])
  const stream = Readable.from([bytes.subarray(0, 9), bytes.subarray(9)], { objectMode: false })
  const out = await buffer(stream.pipe(new WithoutPieces(() => {})))
  expect(out.equals(bytes)).toBe(true)
})

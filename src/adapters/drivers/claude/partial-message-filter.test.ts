import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PartialMessageFilter } from './partial-message-filter.ts'

function streamed(type: string, more = ''): string {
  return `{"type":"stream_event","event":{"type":"${type}"${more}},"uuid":"u"}`
}

const START = streamed('message_start', ',"message":{"id":"m"}')
const DELTA = streamed('message_delta', ',"usage":{"output_tokens":5}')
const BLOCK = streamed('content_block_start', ',"index":0')
const PARTIAL = streamed('content_block_delta', ',"delta":{"text":"grö\\nße"}')
const BLOCK_END = streamed('content_block_stop')
const END = streamed('message_stop')
const ANSWER = '{"type":"assistant","message":{"content":[{"type":"text","text":"größe"}]}}'

/** Filters these bytes, cut into chunks at some places; returns the text and the number of callbacks. */
async function filtered(bytes: Buffer, cuts: readonly number[] = []) {
  let callbacks = 0
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
  const out = await buffer(
    Readable.from(chunks, { objectMode: false }).pipe(
      new PartialMessageFilter(() => {
        callbacks += 1
      }),
    ),
  )
  return { text: out.toString(), callbacks }
}

function lines(...all: readonly string[]): Buffer {
  return Buffer.from(all.map((line) => `${line}\n`).join(''))
}

test('partial messages are removed, and everything else stays unchanged', async () => {
  const { text, callbacks } = await filtered(lines(START, BLOCK, PARTIAL, PARTIAL, ANSWER, BLOCK_END, DELTA, END))
  expect(text).toBe(lines(START, ANSWER, DELTA).toString())
  expect(callbacks).toBe(1)
  expect(await filtered(lines(START, ANSWER, DELTA))).toEqual({ text, callbacks: 0 })
})

test('the result does not depend on where chunks are cut', async () => {
  const line = fc.constantFrom(START, BLOCK, PARTIAL, ANSWER, BLOCK_END, DELTA, END, '', '{', 'rubbish', '{"type":"str')
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat()), fc.boolean(), async (all, cuts, isEnded) => {
      const bytes = isEnded ? lines(...all) : Buffer.from(all.join('\n'))
      const isPartial = (text: string) => [BLOCK, PARTIAL, BLOCK_END, END].includes(text)
      const kept = all.filter((text) => !isPartial(text)).map((text) => `${text}\n`)
      const { text } = await filtered(bytes, cuts)
      // The last line of a text that is not ended has no line break.
      const isOpen = !isEnded && all.length > 0 && !isPartial(all.at(-1) ?? '')
      expect(text).toBe(isOpen ? kept.join('').slice(0, -1) : kept.join(''))
    }),
  )
})

test('a line of ten megabytes and binary bytes pass unchanged', async () => {
  const bytes = Buffer.concat([Buffer.alloc(10_000_000, 'x'), Buffer.from([10, 0xff, 0xfe, 10])])
  const stream = Readable.from([bytes.subarray(0, 9), bytes.subarray(9)], { objectMode: false })
  const out = await buffer(stream.pipe(new PartialMessageFilter(() => {})))
  expect(out.equals(bytes)).toBe(true)
})

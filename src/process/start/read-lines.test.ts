import { expect, test } from 'vitest'
import { type OutputLine, readLines } from './read-lines.ts'

async function linesOf(chunks: readonly (string | Buffer)[], lineMax?: number): Promise<OutputLine[]> {
  const stream = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  })()
  const lines: OutputLine[] = []
  for await (const line of readLines(stream, lineMax === undefined ? {} : { lineMax })) lines.push(line)
  return lines
}

const line = (text: string): OutputLine => ({ kind: 'line', text })

test('lines are split wherever the chunks are cut', async () => {
  expect(await linesOf(['one\ntw', 'o\n', '\nthree\n'])).toEqual([line('one'), line('two'), line(''), line('three')])
})

test('a last line without a line break is delivered', async () => {
  expect(await linesOf(['one\ntwo'])).toEqual([line('one'), line('two')])
})

test('an empty stream has no line', async () => {
  expect(await linesOf([])).toEqual([])
})

test('a carriage return before the line break is dropped, others stay', async () => {
  expect(await linesOf(['a\r\nb', '\r', '\n\r\nc\rd\n'])).toEqual([line('a'), line('b'), line(''), line('c\rd')])
})

test('a character cut by a chunk is put together', async () => {
  const bytes = Buffer.from('größe 🚀\n')
  const single = Array.from(bytes, (byte) => Buffer.from([byte]))
  expect(await linesOf(single)).toEqual([line('größe 🚀')])
})

test('invalid UTF-8 is replaced and the next line is whole', async () => {
  expect(await linesOf([Buffer.from([0x61, 0xff, 0x00, 0xc3, 0x0a]), 'next\n'])).toEqual([
    line('a\ufffd\0\ufffd'),
    line('next'),
  ])
})

test('a line over the cap is counted, and the next one is delivered', async () => {
  expect(await linesOf(['12345', '67890', '1\nok\n12345678901\nok'], 10)).toEqual([
    { kind: 'too-long', bytes: 11 },
    line('ok'),
    { kind: 'too-long', bytes: 11 },
    line('ok'),
  ])
})

test('a line of exactly the cap is delivered', async () => {
  expect(await linesOf(['12345', '67890\n'], 10)).toEqual([line('1234567890')])
})

test('lines of 10 MB are normal', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const lines = await linesOf([...Array(160).fill(chunk), '\n', ...Array(160).fill(chunk), '\nend'])
  expect(lines.map((each) => (each.kind === 'line' ? each.text.length : each))).toEqual([10_485_760, 10_485_760, 3])
})

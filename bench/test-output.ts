import { readFileSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { TestOutput } from '../src/core/test-output/test-output.ts'
import { packageFile } from '../src/package/package-file.ts'
import { ownMsOf } from './project.ts'
import { type BenchResult, spread } from './result.ts'

const BYTES = 50 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024
const TRIES = 3
const MS_MAX = 1000
const LOGGED = '2026-11-15T06:53:03.120Z INFO  words/store: 12 words were kept in 3 ms (cache: 4 of 12)'

const RECORDINGS = [
  'vitest/failures',
  'vitest/colour',
  'jest/failures',
  'node/spec',
  'node/tap',
  'pytest/failures',
  'go/verbose',
  'go/json',
  'cargo/failures',
  'junit/pytest',
  'tap/vitest',
]

/** Measures reading 50 MB: recorded runs with a log line after each of theirs, noise, an endless line. */
export async function benchTestOutput(): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  for (const name of RECORDINGS) results.push(await benchReading(name, recorded(name)))
  results.push(await benchReading('noise', 'at sum (src/sum.ts:5:24) --- not ok 1 of 2 tests\n\n    E  <failure 12\n'))
  results.push(await benchReading('one line', '<a b.c.d/e '))
  return results
}

function recorded(name: string): string {
  const text = readFileSync(packageFile(`test/recordings/${name}.txt`), 'utf8')
  return text.replaceAll('\n', `\n${LOGGED}\n`)
}

async function benchReading(name: string, text: string): Promise<BenchResult> {
  const bytes = Buffer.from(text.repeat(Math.ceil(BYTES / Buffer.byteLength(text)))).subarray(0, BYTES)
  const [times, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < TRIES; round += 1) {
    bare.push(await ownMsOf(async () => read(bytes, () => {})))
    times.push(await ownMsOf(async () => readTests(bytes)))
  }
  const [value, baseline] = [Math.min(...times), Math.min(...bare)]
  return {
    name: `reading 50 MB of test output: ${name}`,
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${MS_MAX} ms`,
    ok: value <= MS_MAX,
    note: `ms without other processes, best of ${TRIES} (${spread(times)}); baseline: decoding alone`,
  }
}

function readTests(bytes: Buffer): void {
  const output = new TestOutput('/home')
  read(bytes, (text) => output.take(text))
  output.end()
}

function read(bytes: Buffer, take: (text: string) => void): void {
  const decoder = new StringDecoder('utf8')
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    take(decoder.write(bytes.subarray(start, start + CHUNK_BYTES)))
  }
}

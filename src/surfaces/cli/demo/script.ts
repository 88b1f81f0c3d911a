/** What the scripted agent does in the demo, as its script.yaml holds it: the first rule that matches a round wins. */
export function demoScript(): readonly Rule[] {
  return [
    // The first round forgets that an hour has 60 minutes; our own check finds it, and the second round mends it.
    {
      task: 'parse',
      round: 1,
      steps: [...think(9_000), test('parse', PARSE_TEST), source('parse', PARSE_WRONG), DONE],
    },
    { task: 'parse', round: 2, steps: [...think(14_000), source('parse', PARSE), DONE] },
    // Meets a usage limit: its work is parked, and goes on in the same session when the limit is over.
    { task: 'format', round: 1, steps: [...think(7_000), { end: 'rate-limited', resetAt: '+2' }] },
    { task: 'format', steps: [...think(11_000), source('format', FORMAT), test('format', FORMAT_TEST), DONE] },
    { task: 'compare', steps: [...think(8_000), source('compare', COMPARE), test('compare', COMPARE_TEST), DONE] },
    { task: 'api', steps: [...think(5_000), source('index', INDEX), DONE] },
    { task: 'cli', steps: [...think(12_000), write('bin/durations.js', COMMAND), DONE] },
    { task: 'readme', steps: [...think(6_000), write('README.md', README), DONE] },
    { task: 'changelog', steps: [...think(4_000), write('CHANGELOG.md', CHANGELOG), DONE] },
  ]
}

interface Rule {
  readonly task: string
  readonly round?: number
  readonly steps: readonly object[]
}

const DONE = { report: 'done' } as const
const THINK_SECONDS = 0.5

/** A moment of work, and what a real model would have used for it. */
function think(input: number): readonly object[] {
  return [{ wait: THINK_SECONDS }, { usage: { input, cacheRead: 3 * input, output: 900, window: 200_000 } }]
}

function write(path: string, text: string): object {
  return { write: { path, text } }
}

function source(name: string, text: string): object {
  return write(`src/${name}.js`, text)
}

function test(name: string, text: string): object {
  return write(`test/${name}.test.js`, text)
}

const PARSE = `import { UNITS } from './units.js'

/** Seconds of a text such as "1h 30m". */
export function parse(text) {
  const parts = [...text.matchAll(/(\\d+)\\s*([dhms])/g)]
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit], 0)
}
`
const PARSE_WRONG = PARSE.replace('UNITS[unit]', '60')
const PARSE_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../src/parse.js'

test('reads hours and minutes', () => {
  assert.equal(parse('1h 30m'), 5400)
})
`
const FORMAT = `import { UNITS } from './units.js'

/** The shortest text for a number of seconds. */
export function format(seconds) {
  let left = seconds
  const parts = Object.entries(UNITS).flatMap(([unit, size]) => {
    const amount = Math.floor(left / size)
    left -= amount * size
    return amount === 0 ? [] : [\`\${amount}\${unit}\`]
  })
  return parts.join(' ') || '0s'
}
`
const FORMAT_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format } from '../src/format.js'

test('writes hours and minutes', () => {
  assert.equal(format(5400), '1h 30m')
  assert.equal(format(0), '0s')
})
`
const COMPARE = `import { parse } from './parse.js'

/** The longer one of two durations. */
export function longer(a, b) {
  return parse(a) >= parse(b) ? a : b
}
`
const COMPARE_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longer } from '../src/compare.js'

test('90 minutes are longer than an hour', () => {
  assert.equal(longer('90m', '1h'), '90m')
})
`
const INDEX = `export { longer } from './compare.js'
export { format } from './format.js'
export { parse } from './parse.js'
`
const COMMAND = `import { format, parse } from '../src/index.js'

console.log(format(parse(process.argv[2] ?? '')))
`
const README = `# durations

Reads and writes durations such as "1h 30m".

    parse('1h 30m')        // 5400
    format(5400)           // '1h 30m'
    longer('90m', '1h')    // '90m'
`
const CHANGELOG = `# Changelog

## 0.1.0

- parse, format and longer
- the command bin/durations.js
`

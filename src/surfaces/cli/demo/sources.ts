/** Files that the demo's agent writes. */
export const PARSE = `import { UNITS } from './units.js'

/** Seconds of a text such as "1h 30m". */
export function parse(text) {
  const parts = [...text.matchAll(/(\\d+)\\s*([dhms])/g)]
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit], 0)
}
`

/** Wrong version of PARSE, in which every unit is 60 seconds. */
export const PARSE_WRONG = PARSE.replace('UNITS[unit]', '60')

export const PARSE_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../src/parse.js'

test('reads hours and minutes', () => {
  assert.equal(parse('1h 30m'), 5400)
})
`

export const FORMAT = `import { UNITS } from './units.js'

/** Formats a number of seconds as briefly as possible. */
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

export const FORMAT_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format } from '../src/format.js'

test('writes hours and minutes', () => {
  assert.equal(format(5400), '1h 30m')
  assert.equal(format(0), '0s')
})
`

export const COMPARE = `import { parse } from './parse.js'

/** Returns the longer of two durations. */
export function longer(a, b) {
  return parse(a) >= parse(b) ? a : b
}
`

export const COMPARE_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longer } from '../src/compare.js'

test('90 minutes are longer than an hour', () => {
  assert.equal(longer('90m', '1h'), '90m')
})
`

export const SUM = `import { format } from './format.js'
import { parse } from './parse.js'

/** Adds up durations. */
export function sum(texts) {
  return format(texts.reduce((seconds, text) => seconds + parse(text), 0))
}
`

export const SUM_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from '../src/sum.js'

test('half an hour three times', () => {
  assert.equal(sum(['30m', '30m', '30m']), '1h 30m')
  assert.equal(sum([]), '0s')
})
`

export const ERRORS = `/** Thrown for text that is not a duration. */
export class NotADuration extends Error {
  constructor(text) {
    super(\`"\${text}" is not a duration; write one like "1h 30m"\`)
    this.name = 'NotADuration'
  }
}
`

export const ERRORS_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotADuration } from '../src/errors.js'

test('the error names the text', () => {
  assert.match(new NotADuration('soon').message, /"soon"/)
})
`

export const PARSE_STRICT = `import { NotADuration } from './errors.js'
import { UNITS } from './units.js'

/** Seconds of a text such as "1h 30m"; anything else is refused. */
export function parse(text) {
  if (!/^\\s*(\\d+\\s*[dhms]\\s*)+$/.test(text)) throw new NotADuration(text)
  const parts = [...text.matchAll(/(\\d+)\\s*([dhms])/g)]
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit], 0)
}
`

export const STRICT_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotADuration } from '../src/errors.js'
import { parse } from '../src/parse.js'

test('text that is not a duration is refused', () => {
  for (const text of ['soon', '', '5', '1h soon']) assert.throws(() => parse(text), NotADuration)
})
`

export const INDEX = `export { longer } from './compare.js'
export { NotADuration } from './errors.js'
export { format } from './format.js'
export { parse } from './parse.js'
export { sum } from './sum.js'
`

export const COMMAND = `import { format, parse } from '../src/index.js'

console.log(format(parse(process.argv[2] ?? '')))
`

export const TYPES = `export declare class NotADuration extends Error {}
export declare function parse(text: string): number
export declare function format(seconds: number): string
export declare function longer(a: string, b: string): string
export declare function sum(texts: readonly string[]): string
`

export const README = `# durations

Reads and writes durations such as "1h 30m".

    parse('1h 30m')               // 5400; throws NotADuration
    format(5400)                  // '1h 30m'
    longer('90m', '1h')           // '90m'
    sum(['30m', '30m', '30m'])    // '1h 30m'
`

export const CHANGELOG = `# Changelog

## 0.1.0

- parse, format, longer and sum, with types
- text that is not a duration is refused
- the command bin/durations.js
`

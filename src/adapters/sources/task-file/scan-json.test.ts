import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonFault, scanJson } from './scan-json.ts'

describe('a scan of JSON', () => {
  test('reports the offsets of keys and values', () => {
    const seen: string[] = []
    const fault = scanJson('{ "a": [1, {"b\\n": null}],\n "c": "x" }', (path, offset, kind) => {
      seen.push(`${kind} ${JSON.stringify(path)} ${offset}`)
      return 'continue'
    })
    expect(fault).toBeNull()
    expect(seen).toEqual([
      'value [] 0',
      'key ["a"] 2',
      'value ["a"] 7',
      'value ["a",0] 8',
      'value ["a",1] 11',
      'key ["a",1,"b\\n"] 12',
      'value ["a",1,"b\\n"] 19',
      'key ["c"] 28',
      'value ["c"] 33',
    ])
  })

  test('stops when the visitor says so', () => {
    let visits = 0
    scanJson('[1, 2, x', () => (++visits === 2 ? 'stop' : 'continue'))
    expect(visits).toBe(2)
  })

  test('survives deep nesting', () => {
    expect(scanJson('['.repeat(200_000) + ']'.repeat(200_000), () => 'continue')).toBeNull()
  })

  const faults: readonly (readonly [text: string, fault: JsonFault])[] = [
    ['', { offset: 0, expected: 'a value' }],
    ['[1,]', { offset: 3, expected: 'a value' }],
    ['[1 2]', { offset: 3, expected: '"," or "]" after a value' }],
    ['{"a" 1}', { offset: 5, expected: '":" after a key' }],
    ['{"a": 1,}', { offset: 8, expected: 'a key in double quotes' }],
    ["{'a': 1}", { offset: 1, expected: 'a key in double quotes' }],
    ['{"a": b}', { offset: 6, expected: 'a value' }],
    ['{"a": nul}', { offset: 6, expected: 'a value' }],
    ['["a\nb"]', { offset: 3, expected: 'a double quote at the end of the text' }],
    ['["a\\x"]', { offset: 3, expected: 'an escape that JSON knows' }],
    ['["a', { offset: 3, expected: 'a double quote at the end of the text' }],
    ['[01]', { offset: 2, expected: '"," or "]" after a value' }],
    ['{} {}', { offset: 3, expected: 'nothing more' }],
  ]
  test.each(faults)('of %j finds what is wrong', (text, fault) => {
    expect(scanJson(text, () => 'continue')).toEqual(fault)
  })

  test('agrees with JSON.parse on what is JSON', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\e1- \n\u0001\u007f\u2028'))
      .map(([text, at, char]) => {
        const place = at % (text.length + 1)
        return at % 2 === 0
          ? text.slice(0, place) + char + text.slice(place)
          : text.slice(0, place) + text.slice(place + 1)
      })
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        expect(scanJson(text, () => 'continue') === null).toBe(isJson(text))
      }),
      { numRuns: 500 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

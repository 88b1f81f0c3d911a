import { describe, expect, test } from 'vitest'
import { parseSource, type Source } from './parse-source.ts'
import EXCEPTIONS from './size-exceptions.json' with { type: 'json' }
import { isTest, readSources } from './source.ts'

const FILE_LINES_P95 = 300
const FILE_LINES_MAX = 400
const TEST_FILE_LINES_MAX = 500
const FUNCTION_LINES_MAX = 70

const sources = readSources('src', 'test', 'bench')

describe('sizes', () => {
  test('stay within the budget, or within an exception that only shrinks', () => {
    expect(sizeComplaints(sources, EXCEPTIONS)).toEqual([])
  })

  test('are small for 95 of 100 files', () => {
    expect(percentile95(lengths(sources))).toBeLessThanOrEqual(FILE_LINES_P95)
  })
})

describe('the scanner notices', () => {
  const long = parseSource('src/core/long.ts', 'export const a = 1\n'.repeat(401))
  const screenful = parseSource('src/core/wide.ts', `export function wide() {\n${'  // `{\n'.repeat(69)}}`)

  test('a file that is too long', () => {
    expect(sizeComplaints([long], {})).toEqual(['src/core/long.ts has 401 lines, 400 are allowed'])
    expect(sizeComplaints([{ ...long, path: 'src/core/long.test.ts' }], {})).toEqual([])
  })

  test.each(['function f()', 'const f = () =>', 'class A { f()', 'const a = { f()', 'const f = async function ()'])(
    'a function that is too long: %s',
    (head) => {
      const text = `${head} {\n${'  a\n'.repeat(70)}}${/class|{/.test(head) ? '}' : ''}`
      expect(sizeComplaints([parseSource('src/a.ts', text)], {})).toEqual(['src/a.ts#f has 72 lines, 70 are allowed'])
    },
  )

  test('an exception that grew, shrank or is no longer needed', () => {
    const wide = 'src/core/wide.ts#wide'
    expect(sizeComplaints([screenful], { [wide]: 71 })).toEqual([])
    expect(sizeComplaints([screenful], { [wide]: 70 })).toEqual([`${wide} has 71 lines, 70 are allowed`])
    expect(sizeComplaints([screenful], { [wide]: 72 })).toEqual([`${wide} has 71 lines: lower its exception from 72`])
    expect(sizeComplaints([], { [wide]: 71 })).toEqual([`${wide} no longer needs an exception`])
  })

  test('too many long files', () => {
    expect(percentile95([...Array(94).fill(10), ...Array(6).fill(301)])).toBe(301)
    expect(percentile95([...Array(95).fill(10), ...Array(5).fill(301)])).toBe(10)
  })
})

function sizeComplaints(all: readonly Source[], exceptions: Readonly<Record<string, number>>): string[] {
  const over = new Map(all.flatMap(overBudget).map(({ name, lines, max }) => [name, { lines, max }]))
  const tooLong = [...over].flatMap(([name, { lines, max }]) => {
    const allowed = exceptions[name] ?? max
    if (lines > allowed) return [`${name} has ${lines} lines, ${allowed} are allowed`]
    return lines < allowed ? [`${name} has ${lines} lines: lower its exception from ${allowed}`] : []
  })
  const idle = Object.keys(exceptions).filter((name) => !over.has(name))
  return [...tooLong, ...idle.map((name) => `${name} no longer needs an exception`)]
}

function overBudget({ path, lines, functions }: Source): { name: string; lines: number; max: number }[] {
  const file = { name: path, lines, max: isTest(path) ? TEST_FILE_LINES_MAX : FILE_LINES_MAX }
  // A describe block is as long as the tests in it.
  const inside = isTest(path)
    ? []
    : functions.map(({ name, lines: length }) => ({ name: `${path}#${name}`, lines: length, max: FUNCTION_LINES_MAX }))
  return [file, ...inside].filter((part) => part.lines > part.max)
}

function lengths(all: readonly Source[]): number[] {
  return all.filter(({ path }) => !isTest(path)).map(({ lines }) => lines)
}

function percentile95(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * 0.95) - 1] ?? 0
}

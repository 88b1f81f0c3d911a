import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { differences } from './compare.ts'
import { COVERAGES, ROUNDING } from './coverages.ts'
import { FRAMEWORKS, type Framework, type Reporter } from './pairs.ts'
import { commandOf, readOutput, readWritten } from './run-suite.ts'

const RECORDINGS = join(import.meta.dirname, '../../recordings/compared')

describe.each(FRAMEWORKS.map((framework) => [framework.name, framework] as const))('recorded %s', (name, framework) => {
  const recorded = (file: string) => readFileSync(join(RECORDINGS, name, `${file}.txt`), 'utf8')
  const truth = framework.truth(recorded('machine'))

  test('has passes, failures and skips, unless nothing could run', () => {
    const kinds = [truth.passed, truth.failed, truth.skipped].filter((tests) => tests.length > 0)
    expect(kinds.length).toBe(name === 'pytest-broken' ? 1 : 3)
  })

  test.each(Object.entries(framework.outputs))('output %s says what the framework says', (reporter, given) => {
    const read = readOutput(recorded(`output-${reporter}`), framework.suite, commandOf(given))
    expect(differences(read, truth, unprinted(given))).toEqual([])
  })

  test.each(Object.entries(framework.outputs))('output %s says it without knowing the command', (reporter, given) => {
    // Jest may print what its workers wrote after its summary.
    const lines = recorded(`output-${reporter}`).split('\n')
    const end =
      framework.tool === 'jest' ? lines.findIndex((line) => line.startsWith('Ran all test suites')) : lines.length
    const read = readOutput(lines.slice(0, end).join('\n'), framework.suite, '')
    expect(differences(read, truth, unprinted(given))).toEqual([])
  })

  if (Object.keys(framework.reports).length === 0) return
  test.each(Object.entries(framework.reports))('report %s says what the framework says', (reporter, given) => {
    const read = readWritten(recorded(`report-${reporter}`), framework.suite)
    expect(differences(read, truth, unprinted(given))).toEqual([])
  })
})

test.each(COVERAGES)('recorded coverage of $name is the one that it writes', ({ name, suite, run, share }) => {
  const recorded = (file: string) => readFileSync(join(RECORDINGS, `coverage-${name}`, `${file}.txt`), 'utf8')
  const { coverage } = readOutput(recorded('output'), suite, run)
  expect(Math.abs((coverage ?? Number.NaN) - share(recorded('machine')))).toBeLessThan(ROUNDING)
})

test('there are recordings of exactly the frameworks and reporters that are compared', () => {
  const coverages = COVERAGES.flatMap(({ name }) => [`coverage-${name}/machine.txt`, `coverage-${name}/output.txt`])
  const files = FRAMEWORKS.flatMap(({ name, outputs, reports }) => [
    `${name}/machine.txt`,
    ...Object.keys(outputs).map((reporter) => `${name}/output-${reporter}.txt`),
    ...Object.keys(reports).map((reporter) => `${name}/report-${reporter}.txt`),
  ])
  const recorded = readdirSync(RECORDINGS).flatMap((name) =>
    readdirSync(join(RECORDINGS, name)).map((file) => `${name}/${file}`),
  )
  expect(recorded.toSorted()).toEqual([...files, ...coverages].toSorted())
  expect(files.length - FRAMEWORKS.length).toBeGreaterThanOrEqual(12)
})

function unprinted(given: Reporter): Exclude<Framework['outputs'][string], string> | Record<string, never> {
  return typeof given === 'string' ? {} : given
}

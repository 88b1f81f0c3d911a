import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CheckRun } from '../../../src/core/checks/check-run.ts'
import { classifyFailures } from '../../../src/core/checks/classify-failures.ts'
import type { Check } from '../../../src/core/model/effect.ts'
import type { Commit, Tree } from '../../../src/core/model/ids.ts'
import { PLAIN_RECEIPT } from '../../../src/core/model/verdict.ts'
import type { TestOutputRead } from '../../../src/core/test-output/test-output-read.ts'
import { FRAMEWORKS } from './pairs.ts'
import { commandOf, readOutput, readWritten } from './run-suite.ts'

const RECORDINGS = join(import.meta.dirname, '../../recordings/compared')
const CHECK: Check = { name: 'tests', run: 'npm test', onFail: 'block', timeoutMs: 1, coverage: null, canary: null }

const RECORDED = FRAMEWORKS.flatMap((framework) => {
  const text = (file: string) => readFileSync(join(RECORDINGS, framework.name, `${file}.txt`), 'utf8')
  const outputs = Object.entries(framework.outputs).map(
    ([reporter, by]) =>
      [
        `${framework.name} ${reporter}`,
        readOutput(text(`output-${reporter}`), framework.suite, commandOf(by)),
      ] as const,
  )
  const reports = Object.keys(framework.reports).map(
    (reporter) =>
      [`report of ${framework.name} ${reporter}`, readWritten(text(`report-${reporter}`), framework.suite)] as const,
  )
  return [...outputs, ...reports]
})

// Names with " - ", "::" and brackets among them.
test.each(RECORDED)('failures of %s that were there before are excused, and a new one is not', (_, read) => {
  const before = run(read)
  expect(classifyFailures(CHECK, [before], [before])).toMatchObject({ passes: true, findings: [] })
  const first = before.failures[0]
  const { failed = [] } = read.names
  const fewer = {
    ...before,
    names: { ...read.names, failed: failed.slice(1) },
    receipt: receiptOf(read, failed.length - 1),
  }
  const { passes, findings } = classifyFailures(CHECK, [before], failed.length > 1 ? [fewer] : [])
  expect(passes).toBe(false)
  expect(findings.some(({ message, file }) => message.includes(first?.name ?? '') || file === first?.file)).toBe(true)
})

function run(read: TestOutputRead): CheckRun {
  return { receipt: receiptOf(read, read.tests?.failed ?? 0), failures: read.failures, names: read.names, output: '' }
}

function receiptOf({ tests }: TestOutputRead, failed: number): CheckRun['receipt'] {
  return {
    ...PLAIN_RECEIPT,
    gate: CHECK.name,
    command: CHECK.run,
    exitCode: 1,
    timedOut: false,
    durationMs: 1,
    outputDigest: '',
    tree: 't' as Tree,
    commit: 'c' as Commit,
    environmentDigest: '',
    passed: false,
    blocking: true,
    tests: tests === null ? null : { ...tests, failed },
  }
}

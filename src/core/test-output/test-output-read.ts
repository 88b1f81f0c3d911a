import type { TestCounts, TestFailure, TestNames } from '../model/verdict.ts'
import type { PlainText } from './plain-text.ts'
import type { FailureDraft, Tally } from './tally.ts'

/** Test results found in the output of a check; null where the output has none. */
export interface TestOutputRead {
  readonly tests: TestCounts | null
  readonly failures: readonly TestFailure[]
  readonly names: TestNames
  /** Share of lines that the tests cover. */
  readonly coverage: number | null
}

/** Turns a tally into the result of a check, with short texts and paths below the check's folder. */
export function toTestOutputRead(framework: string, tally: Tally, plain: PlainText): Omit<TestOutputRead, 'coverage'> {
  const { passed, failed, skipped } = tally
  const durationMs = tally.durationMs === null ? null : Math.round(tally.durationMs)
  const failures = failed === 0 ? [] : tally.failures.map((draft) => failureOf(draft, plain))
  const plainName = (name: string) => short(plain.of(name), NAME_MAX)
  return {
    tests: { framework, passed, failed, skipped, durationMs },
    failures,
    names: {
      passed: tally.passedNames.map(plainName),
      skipped: tally.skippedNames.map(plainName),
      failed: failures.map(({ name, file }) => ({ name, file })),
    },
  }
}

function failureOf({ name, file, line, message }: FailureDraft, plain: PlainText): TestFailure {
  return {
    name: short(plain.of(name), NAME_MAX),
    file: file === null ? null : short(plain.of(file), NAME_MAX),
    line,
    message: short(plain.of(message), MESSAGE_MAX),
  }
}

function short(text: string, max: number): string {
  const oneLine = text.replaceAll(/\s+/g, ' ').trim()
  return oneLine.length <= max ? oneLine : `${oneLine.slice(0, max - 1)}…`
}

const NAME_MAX = 200
const MESSAGE_MAX = 300

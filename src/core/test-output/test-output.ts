import type { TestCounts, TestFailure, TestNames } from '../model/verdict.ts'
import { CargoReader } from './cargo.ts'
import { CoverageReader } from './coverage.ts'
import { GoJsonReader, GoReader } from './go.ts'
import { JestReader } from './jest.ts'
import { JunitReader } from './junit.ts'
import { NodeSpecReader } from './node-spec.ts'
import { PlainText } from './plain-text.ts'
import { PytestReader } from './pytest.ts'
import type { FailureDraft, FormatReader, Tally } from './tally.ts'
import { TapReader } from './tap.ts'
import { VitestReader } from './vitest.ts'

/** Test results found in the output of a check; null where the output has none. */
export interface TestOutputRead {
  readonly tests: TestCounts | null
  readonly failures: readonly TestFailure[]
  readonly names: TestNames
  /** Share of lines that the tests cover. */
  readonly coverage: number | null
}

/** Reads the output of a check chunk by chunk. With several frameworks, the one with the last summary counts. */
export class TestOutput {
  readonly #plain: PlainText
  readonly #coverage = new CoverageReader()
  readonly #formats: readonly FormatReader[] = [
    new VitestReader(),
    new JestReader(),
    new NodeSpecReader(),
    new TapReader(),
    new PytestReader(),
    new CargoReader(),
    new GoReader(),
    new GoJsonReader(),
    new JunitReader(),
  ]
  #rest = ''
  #last: FormatReader | null = null

  /** `folder`: where the check runs; paths below it become relative. */
  constructor(folder: string) {
    this.#plain = new PlainText(folder)
  }

  take(text: string): void {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) {
      this.#readLines(this.#rest + text.slice(0, end))
      this.#rest = ''
    }
    this.#rest += text.slice(end)
    if (this.#rest.length > LINE_MAX) this.#cut()
  }

  /** Reads the last line and returns the results. */
  end(): TestOutputRead {
    if (this.#rest !== '') this.#readLines(`${this.#rest}\n`)
    this.#rest = ''
    const coverage = this.#coverage.share
    if (this.#last === null) return { tests: null, failures: [], names: NO_NAMES, coverage }
    const { framework, tally } = this.#last
    const { passed, failed, skipped } = tally
    const durationMs = tally.durationMs === null ? null : Math.round(tally.durationMs)
    const failures = failed === 0 ? [] : tally.failures.map((draft) => failureOf(draft, this.#plain))
    return {
      tests: { framework, passed, failed, skipped, durationMs },
      failures,
      names: this.#names(tally, failures),
      coverage,
    }
  }

  #names(tally: Tally, failures: readonly TestFailure[]): TestNames {
    const plainName = (name: string) => short(this.#plain.of(name), NAME_MAX)
    return {
      passed: tally.passedNames.map(plainName),
      skipped: tally.skippedNames.map(plainName),
      failed: failures.map(({ name, file }) => ({ name, file })),
    }
  }

  // XML may come without any line end, so a long line is cut behind a tag.
  #cut(): void {
    const end = this.#rest.lastIndexOf('>') + 1 || this.#rest.length
    this.#readLines(`${this.#rest.slice(0, end)}\n`)
    this.#rest = this.#rest.slice(end)
  }

  #readLines(output: string): void {
    const text = this.#plain.of(output)
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#readLine(text.slice(start, end))
      start = end + 1
    }
  }

  #readLine(line: string): void {
    for (const format of this.#formats) if (format.read(line)) this.#last = format
    this.#coverage.read(line)
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

const NO_NAMES: TestNames = { passed: [], skipped: [], failed: [] }
const LINE_MAX = 16 * 1024
const NAME_MAX = 200
const MESSAGE_MAX = 300

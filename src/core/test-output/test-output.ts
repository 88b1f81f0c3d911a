import type { TestCounts, TestFailure, TestNames } from '../model/verdict.ts'
import { CargoReader } from './cargo.ts'
import { CoverageReader } from './coverage.ts'
import { GoReader } from './go.ts'
import { GoJsonReader } from './go-json.ts'
import { JestReader } from './jest.ts'
import { JunitReader } from './junit.ts'
import { LineDispatch } from './line-dispatch.ts'
import { NodeSpecReader } from './node-spec.ts'
import { PlainText } from './plain-text.ts'
import { PytestReader } from './pytest.ts'
import type { FailureDraft, FormatReader, Tally } from './tally.ts'
import { TapReader } from './tap.ts'
import { VitestReader } from './vitest.ts'

/** What the output of a check says of tests; null: it does not say. */
export interface TestOutputRead {
  readonly tests: TestCounts | null
  readonly failures: readonly TestFailure[]
  readonly names: TestNames
  /** The share of lines that the tests cover. */
  readonly coverage: number | null
}

/** Reads the output of a check as it comes. Of several frameworks the one that sums up last is taken. */
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
  readonly #lines = new LineDispatch([...this.#formats, this.#coverage])
  #rest = ''
  #last: FormatReader | null = null

  /** `folder`: where the check runs; paths in it are told from there. */
  constructor(folder: string) {
    this.#plain = new PlainText(folder)
  }

  take(text: string): void {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) {
      this.#takeLines(this.#rest + text.slice(0, end))
      this.#rest = ''
    }
    this.#rest += text.slice(end)
    if (this.#rest.length > LINE_MAX) this.#cut()
  }

  /** What was read, when everything has come. */
  end(): TestOutputRead {
    if (this.#rest !== '') this.#takeLines(`${this.#rest}\n`)
    this.#rest = ''
    const coverage = this.#coverage.share
    if (this.#last === null) return { tests: null, failures: [], names: NO_NAMES, coverage }
    const { framework, tally } = this.#last
    const { passed, failed, skipped, durationMs } = tally
    const tests = {
      framework,
      passed,
      failed,
      skipped,
      durationMs: durationMs === null ? null : Math.round(durationMs),
    }
    const failures = failed === 0 ? [] : tally.failures.map((draft) => failureOf(draft, this.#plain))
    return { tests, failures, names: this.#names(tally, failures), coverage }
  }

  #names(tally: Tally, failures: readonly TestFailure[]): TestNames {
    const told = (name: string) => short(this.#plain.of(name), NAME_MAX)
    return {
      passed: tally.passedNames.map(told),
      skipped: tally.skippedNames.map(told),
      failed: failures.map(({ name, file }) => ({ name, file })),
    }
  }

  /** XML may come without any line end: what is too long is cut behind a tag. */
  #cut(): void {
    const end = this.#rest.lastIndexOf('>') + 1 || this.#rest.length
    this.#takeLines(`${this.#rest.slice(0, end)}\n`)
    this.#rest = this.#rest.slice(end)
  }

  #takeLines(written: string): void {
    const text = this.#plain.of(written)
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const wanted = this.#lines.wanted(text, start)
      if (wanted !== 0) this.#give(text.slice(start, end), wanted)
      start = end + 1
    }
  }

  #give(line: string, wanted: number): void {
    const summedUp = this.#lines.give(line, wanted)
    if (summedUp !== null) this.#last = this.#formats[summedUp] ?? null
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
  const here = text.replaceAll(/\s+/g, ' ').trim()
  return here.length <= max ? here : `${here.slice(0, max - 1)}…`
}

const NO_NAMES: TestNames = { passed: [], skipped: [], failed: [] }
const LINE_MAX = 16 * 1024
const NAME_MAX = 200
const MESSAGE_MAX = 300

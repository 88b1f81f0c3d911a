import type { TestNames } from '../model/verdict.ts'
import { CargoReader } from './cargo.ts'
import { CoverageReader } from './coverage.ts'
import type { FormatReader } from './format-reader.ts'
import { GoReader } from './go.ts'
import { JestReader } from './jest.ts'
import { JunitReader } from './junit.ts'
import { MochaReader } from './mocha.ts'
import { NodeSpecReader } from './node-spec.ts'
import { PlainText } from './plain-text.ts'
import { PytestReader } from './pytest.ts'
import { TapReader } from './tap.ts'
import { type TestOutputRead, toTestOutputRead } from './test-output-read.ts'
import { UnittestReader } from './unittest.ts'
import { VitestReader } from './vitest.ts'

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
    new MochaReader(),
    new UnittestReader(),
    new JunitReader('last'),
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
    const { framework, runs } = this.#last
    return { ...toTestOutputRead(framework, runs.total(), this.#plain), coverage }
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
    // A package manager names each script before it runs it.
    if (line.charAt(0) === '>' && SCRIPT.test(line)) for (const format of this.#formats) format.runs.next()
    for (const format of this.#formats) if (format.read(line)) this.#last = format
    this.#coverage.read(line)
  }
}

const NO_NAMES: TestNames = { passed: [], skipped: [], failed: [] }
const LINE_MAX = 16 * 1024
const SCRIPT = /^> \S+@\S+ \S/

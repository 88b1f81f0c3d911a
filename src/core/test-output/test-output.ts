import type { TestNames } from '../model/verdict.ts'
import { CargoReader } from './cargo.ts'
import { CoverageReader } from './coverage.ts'
import type { FormatReader } from './format-reader.ts'
import { GoReader } from './go.ts'
import { JestReader } from './jest.ts'
import { JunitReader } from './junit.ts'
import { type LineReader, LineReaders } from './line-readers.ts'
import { MochaReader } from './mocha.ts'
import { NodeSpecReader } from './node-spec.ts'
import { PackageScriptReader } from './package-script-reader.ts'
import { PlainText } from './plain-text.ts'
import { PytestReader } from './pytest.ts'
import { runnerIn } from './runner-in.ts'
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
  readonly #script = new PackageScriptReader(() => {
    for (const format of this.#formats) format.runs.next()
  })
  readonly #lines = new LineReaders([this.#script, ...this.#formats, this.#coverage])
  /** Readers that saw a summary. */
  readonly #summed = new Set<LineReader>()
  #last: LineReader | null = null
  #rest = ''
  readonly #runner: string | null

  /** `folder`: where the check runs; paths below it become relative. `command`: names a framework, perhaps. */
  constructor(folder: string, command = '') {
    this.#runner = runnerIn(command)
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
    const format = this.#counting()
    if (format === null) return { tests: null, failures: [], names: NO_NAMES, coverage }
    const { framework, runs } = format
    return { ...toTestOutputRead(framework, runs.total(), this.#plain), coverage }
  }

  /** Returns the reader that counts: of the framework that the command runs, or else the one with the last summary. */
  #counting(): FormatReader | null {
    const runner = this.#runner ?? this.#script.runner
    const summed = this.#formats.filter((format) => this.#summed.has(format))
    const named = summed.filter(({ framework }) => framework === runner)
    return (named.length === 1 ? named[0] : summed.find((format) => format === this.#last)) ?? null
  }

  // XML may come without any line end, so a long line is cut behind a tag.
  #cut(): void {
    const end = this.#rest.lastIndexOf('>') + 1 || this.#rest.length
    this.#readLines(`${this.#rest.slice(0, end)}\n`)
    this.#rest = this.#rest.slice(end)
  }

  #readLines(output: string): void {
    this.#lines.read(this.#plain.of(output), (reader) => {
      if (this.#last !== reader) this.#summed.add(reader)
      this.#last = reader
    })
  }
}

const NO_NAMES: TestNames = { passed: [], skipped: [], failed: [] }
const LINE_MAX = 16 * 1024

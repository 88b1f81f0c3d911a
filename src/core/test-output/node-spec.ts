import type { FormatReader } from './format-reader.ts'
import { indentOf, lineIn } from './line-parts.ts'
import { Runs } from './runs.ts'
import type { FailureDraft, Tally, TestOutcome } from './tally.ts'

/** Reads the spec reporter of node:test. */
export class NodeSpecReader implements FormatReader {
  readonly framework = 'node:test'
  readonly runs = new Runs()
  readonly starts = 'ℹ✖✔﹣▶'
  readonly indentedStarts = '✖✔﹣▶'
  /** True in the section at the end that repeats every failure, with its location. */
  #isRepeating = false
  #location: { readonly file: string; readonly line: number } | null = null
  #draft: FailureDraft | null = null
  #messageLines = 0
  readonly #suites: { readonly indent: number; readonly name: string }[] = []

  get isOpen(): boolean {
    return this.#isRepeating
  }

  read(line: string): boolean {
    const first = line.charAt(0)
    if (first === 'ℹ') return this.#readSummary(line)
    if (first === '✖' && line === '✖ failing tests:') this.#isRepeating = true
    else if (this.#isRepeating) this.#readRepeated(line)
    else this.#readListed(line)
    return false
  }

  // A suite is announced before its tests, and named once more after them.
  #readListed(line: string): void {
    const indent = indentOf(line)
    const mark = line.charAt(indent)
    if (mark !== '✖' && mark !== '✔' && mark !== '﹣' && mark !== '▶') return
    const name = line.slice(indent + 2).replace(TOOK, '')
    const suite = this.#suites.at(-1)
    const { tally } = this.runs
    if (suite?.indent === indent && suite.name === name) {
      this.#suites.pop()
      if (mark === '✖') tally.parentsFailed += 1
    } else if (mark === '▶') this.#suites.push({ indent, name })
    else if (mark === '﹣' || NOTED.test(line)) tally.name('skipped', name)
    else if (mark === '✔') tally.name('passed', name)
  }

  #readSummary(line: string): boolean {
    const isFirst = line.startsWith('ℹ tests ')
    const what = readNodeCount(line, isFirst ? this.runs.sum() : this.runs.tally)
    if (what === 'tests') {
      this.#isRepeating = false
      // The failures follow their count.
      this.runs.tally.failures = []
    }
    return what === 'tests'
  }

  #readRepeated(line: string): void {
    const location = line.startsWith('test at ') ? LOCATION.exec(line) : null
    if (location !== null) this.#location = { file: location[1] ?? '', line: Number(location[2]) }
    else if (line.charAt(0) === '✖') this.#open(line.slice(2))
    else if (line === '') this.#draft = null
    else if (this.#draft !== null) this.#readDetail(this.#draft, line.trim())
  }

  // A test that is still to do is repeated, too, but has not failed.
  #open(text: string): void {
    this.#draft = NOTED.test(text) ? null : this.runs.tally.open(text.replace(TOOK, ''), this.#location?.file ?? null)
    if (this.#draft !== null) this.#draft.line = this.#location?.line ?? null
    this.#messageLines = 0
  }

  #readDetail(draft: FailureDraft, text: string): void {
    if (text.startsWith('at ')) this.#readFrame(draft, text)
    else if (text !== '' && this.#messageLines < MESSAGE_LINES_MAX) {
      draft.message += this.#messageLines === 0 ? text : ` ${text}`
      this.#messageLines += 1
    }
  }

  // The failing line says more than the line where the test begins.
  #readFrame(draft: FailureDraft, frame: string): void {
    this.#messageLines = MESSAGE_LINES_MAX
    const line = draft.file === null ? null : lineIn(frame, draft.file)
    if (line === null) return
    draft.line = line
    this.#draft = null
  }
}

/** Reads one of the last lines of node:test, such as "# pass 12"; returns the word that it counts. */
export function readNodeCount(line: string, tally: Tally): string | null {
  const [, what = null, count] = COUNT.exec(line) ?? []
  const kind = what === null ? undefined : KINDS[what]
  if (kind !== undefined) tally[kind] += Number(count)
  if (what === 'duration_ms') tally.lasted(Math.round(Number(count)))
  return what
}

const MESSAGE_LINES_MAX = 2
const COUNT = /^[ℹ#] (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) +([\d.]+)$/
const KINDS: Readonly<Record<string, TestOutcome>> = {
  pass: 'passed',
  fail: 'failed',
  cancelled: 'failed',
  skipped: 'skipped',
  todo: 'skipped',
}
const LOCATION = /^test at (.+?):(\d+):\d+$/
const TOOK = / \([\d.]+ms\)(?: # .*)?$/
// The reason for a skipped or unfinished test, or else its kind.
const NOTED = / \([\d.]+ms\) # /

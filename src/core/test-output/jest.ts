import type { FormatReader } from './format-reader.ts'
import { durationMsIn, lineIn } from './line-parts.ts'
import { Runs } from './runs.ts'
import type { FailureDraft } from './tally.ts'

/** Reads Jest's reporters. */
export class JestReader implements FormatReader {
  readonly framework = 'jest'
  readonly runs = new Runs()
  readonly starts = 'FST'
  readonly indentedStarts = 'F●✓○✎'
  #file: string | null = null
  #draft: FailureDraft | null = null
  /** True in the section that repeats every failure at the end of a long run. */
  #isRepeating = false
  /** Number of test files that could not be loaded; the summary counts tests only. */
  #brokenFiles = 0
  /** True below the line that comes before the summary of tests. */
  #areFilesCounted = false

  get isOpen(): boolean {
    return this.#draft !== null
  }

  read(line: string): boolean {
    const first = line.charAt(0)
    // All of a failure is indented.
    if (first !== ' ' && first !== '') this.#draft = null
    switch (first) {
      case ' ':
        this.#readIndented(line)
        return false
      case 'F':
        this.#enterFile(line)
        return false
      case 'S':
        this.#isRepeating ||= line === 'Summary of all failing tests'
        return false
      case 'T':
        return this.#readSummary(line)
      default:
        return false
    }
  }

  #enterFile(line: string): void {
    const file = FILE.exec(line)?.[1]
    if (file === undefined) return
    this.#file = file
  }

  #readIndented(line: string): void {
    if (line.charAt(2) === '●') this.#open(line.slice('  ● '.length))
    else if (line.charAt(1) === 'F') this.#enterFile(line.trimStart())
    else if (this.#draft !== null) this.#readDetail(this.#draft, line)
    else if (this.runs.tally.wantsNames) this.#readListed(line)
  }

  // Tests are listed for a single file, or with --verbose.
  #readListed(line: string): void {
    const [, mark, name = ''] = LISTED.exec(line) ?? []
    if (mark !== undefined) this.runs.tally.name(mark === '✓' ? 'passed' : 'skipped', name)
  }

  #open(name: string): void {
    this.#draft = null
    if (this.#isRepeating || name === 'Console') return
    if (name === NOT_RUN) this.#brokenFiles += 1
    this.#draft = this.runs.tally.open(name, this.#file)
  }

  #readDetail(draft: FailureDraft, line: string): void {
    const text = line.trim()
    if (text.startsWith('at ')) readFrame(draft, text)
    else if (draft.message === '') draft.message = text
    else if (VALUES.test(text)) draft.message += `; ${text}`
  }

  #readSummary(line: string): boolean {
    const isNext = this.#areFilesCounted
    this.#areFilesCounted = line.startsWith('Test Suites: ')
    if (line.startsWith('Time: ')) this.#readTime(line)
    if (!isNext || !SUMMARY.test(line)) return false
    const tally = this.runs.sum()
    tally.count(line, WORDS)
    tally.failed += this.#brokenFiles
    this.#brokenFiles = 0
    this.#isRepeating = false
    return true
  }

  #readTime(line: string): void {
    const { tally } = this.runs
    if (tally.durationMs === null) tally.lasted(durationMsIn(line.split(',')[0] ?? ''))
  }
}

// A frame names a file relative to its package; the file's own name is relative to the root of all packages.
function readFrame(draft: FailureDraft, frame: string): void {
  if (draft.file === null || draft.line !== null) return
  const path = FRAME.exec(frame)?.[1]
  if (path !== undefined && (draft.file === path || draft.file.endsWith(`/${path}`))) draft.line = lineIn(frame, path)
  else draft.line = lineIn(frame, draft.file)
}

const NOT_RUN = 'Test suite failed to run'
const FILE = /^FAIL +(?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/
const FRAME = /([^\s(]+):\d+:\d+\)?$/
const LISTED = /^ +([✓○✎]) (?:skipped |todo )?(.+?)(?: \([\d.]+ m?s\))?$/
const VALUES = /^(Expected|Received)\b.*:/
const SUMMARY = /^Tests: {2,}.*\d+ total$/
const WORDS = { passed: 'passed', failed: 'failed', skipped: 'skipped', todo: 'skipped' } as const

import type { FormatReader } from './format-reader.ts'
import { durationMsIn, findLine, findLocation } from './line-parts.ts'
import { Runs } from './runs.ts'
import type { FailureDraft } from './tally.ts'

/** Reads Vitest's reporters: default, verbose and those that print the same summary. */
export class VitestReader implements FormatReader {
  readonly framework = 'vitest'
  readonly runs = new Runs()
  readonly starts = '⎯'
  readonly indentedStarts = 'FRTED❯✓↓□'
  /** Failures of one block; several share a block when their message is the same. */
  #block: FailureDraft[] = []
  #hasMessage = false
  /** Number of test files that could not be loaded; the summary counts tests only. */
  #brokenFiles = 0

  get isOpen(): boolean {
    return this.#block.length > 0 && !this.#hasMessage
  }

  read(line: string): boolean {
    const first = line.charAt(0)
    if (first === ' ') return this.#readIndented(line)
    if (first === '⎯') this.#readRule(line)
    else if (this.#block.length > 0 && !this.#hasMessage && line !== '') this.#setMessage(line)
    return false
  }

  #readIndented(line: string): boolean {
    switch (line.charAt(1)) {
      case ' ':
        return this.#readSummary(line)
      case 'F':
        if (line.startsWith(' FAIL  ')) this.#open(line.slice(' FAIL  '.length))
        return false
      case 'R':
        if (line.startsWith(' RUN  v')) this.runs.begin()
        return false
      case '❯':
        this.#readFrame(line)
        return false
      case '✓':
      case '↓':
      case '□':
        if (this.runs.tally.wantsNames) this.#readListed(line)
        return false
      default:
        return false
    }
  }

  // The verbose reporter lists each test.
  #readListed(line: string): void {
    const name = LISTED.exec(line)?.[1]
    if (name !== undefined) this.runs.tally.name(line.charAt(1) === '✓' ? 'passed' : 'skipped', name)
  }

  #readFrame(frame: string): void {
    for (const draft of this.#block) {
      if (draft.file === null) findLocation(draft, frame)
      else findLine(draft, frame)
    }
  }

  #open(title: string): void {
    if (this.#hasMessage) this.#close()
    const [, file = null, name] = TITLE.exec(title) ?? []
    this.#add(this.runs.tally.open(name ?? file ?? title, file))
  }

  #add(draft: FailureDraft | null): void {
    if (draft !== null) this.#block.push(draft)
  }

  #setMessage(message: string): void {
    for (const draft of this.#block) draft.message = message
    this.#hasMessage = true
  }

  #close(): void {
    this.#block = []
    this.#hasMessage = false
  }

  #readRule(line: string): void {
    this.#close()
    const [, title = '', count] = HEADING.exec(line) ?? []
    if (title === 'Failed Suites') this.#brokenFiles = Number(count)
    else if (title.startsWith('Unhandled ') && title !== 'Unhandled Errors') this.#add(this.runs.tally.open(title))
  }

  #readSummary(line: string): boolean {
    if (line.startsWith(TESTS)) {
      const tally = this.runs.sum()
      tally.count(line, WORDS)
      tally.failed += this.#brokenFiles
      this.#brokenFiles = 0
      return true
    }
    const { tally } = this.runs
    if (line.startsWith(ERRORS)) tally.count(line, { error: 'failed', errors: 'failed' })
    else if (line.startsWith(DURATION)) {
      tally.durationMs = null
      tally.lasted(durationMsIn(line.slice(DURATION.length).split(' ')[0] ?? ''))
    }
    return false
  }
}

const [TESTS, ERRORS, DURATION] = ['      Tests  ', '     Errors  ', '   Duration  ']
// "1 expected fail" is a test that is declared to fail, and does.
const WORDS = { passed: 'passed', expected: 'passed', failed: 'failed', skipped: 'skipped', todo: 'skipped' } as const
const TITLE = /^(?:\|[^|]*\| )?(\S+)(?: > (.*)| \[ .* \])?$/
const LISTED = /^ [✓↓□] (?:\|[^|]*\| | \S+ {2})?\S+ > (.+?)(?: \d+ms| \[.*\])?$/
const HEADING = /^⎯+ ([A-Z][a-z]+ [A-Z][a-z]+)(?: (\d+))? ⎯+$/

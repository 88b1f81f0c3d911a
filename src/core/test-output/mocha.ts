import type { FormatReader } from './format-reader.ts'
import { findLocation, indentOf } from './line-parts.ts'
import { Runs } from './runs.ts'
import type { FailureDraft } from './tally.ts'

/** Reads Mocha's reporters that end with "N passing". */
export class MochaReader implements FormatReader {
  readonly framework = 'mocha'
  readonly runs = new Runs()
  readonly starts = ''
  readonly indentedStarts = '0123456789-✓✔'
  #isSummed = false
  /** Titles of a failure: its suites, then the test. */
  #titles: string[] | null = null
  #draft: FailureDraft | null = null

  get isOpen(): boolean {
    return this.#isSummed || this.#titles !== null
  }

  read(line: string): boolean {
    if (line.charAt(0) !== ' ') {
      // Long differences and messages begin at the margin.
      if (this.#draft !== null && this.#draft.message !== '' && line !== '') this.#readDetail(this.#draft, line)
      return false
    }
    if (line.charAt(1) !== ' ') return false
    if (this.#titles !== null) this.#readTitle(this.#titles, line)
    else if (this.#readCount(line)) return true
    else if (this.#isSummed) this.#readFailure(line)
    else if (this.runs.tally.wantsNames) this.#readListed(line)
    return false
  }

  #readCount(line: string): boolean {
    if (line.charAt(2) < '0' || line.charAt(2) > '9') return false
    const [, count, what, duration = ''] = COUNT.exec(line) ?? []
    if (what === undefined) return false
    const isFirst = what === 'passing'
    const tally = isFirst ? this.runs.sum() : this.runs.tally
    if (isFirst) {
      this.#isSummed = true
      this.#draft = null
      tally.passed = Number(count)
      tally.lasted(durationMs(duration))
    } else if (this.#isSummed) tally[what === 'pending' ? 'skipped' : 'failed'] = Number(count)
    return this.#isSummed
  }

  #readListed(line: string): void {
    const [, mark, name = ''] = LISTED.exec(line) ?? []
    if (mark !== undefined) this.runs.tally.name(mark === '-' ? 'skipped' : 'passed', name)
  }

  #readFailure(line: string): void {
    const title = FAILURE.exec(line)?.[1]
    if (title !== undefined) {
      this.#draft = null
      this.#titles = []
      this.#readTitle(this.#titles, `     ${title}`)
    } else if (this.#draft !== null) this.#readDetail(this.#draft, line)
    else if (LISTED.test(line)) {
      // Another run began.
      this.#isSummed = false
      this.#readListed(line)
    }
  }

  #readTitle(titles: string[], line: string): void {
    const title = line.slice(indentOf(line))
    if (titles.length >= TITLES_MAX) this.#titles = null
    else if (!title.endsWith(':')) titles.push(title)
    else {
      this.#draft = this.runs.tally.open([...titles, title.slice(0, -1)].join(' > '))
      this.#titles = null
    }
  }

  #readDetail(draft: FailureDraft, line: string): void {
    const text = line.trim()
    if (text.startsWith('at ')) {
      if (!text.includes('node_modules/') && !text.includes('(node:')) findLocation(draft, text)
    } else if (text !== '' && draft.message === '') draft.message = text
    else if (VALUES.test(text) && draft.line === null && !draft.message.includes(text)) draft.message += ` ${text}`
  }
}

function durationMs(text: string): number {
  const [, amount, unit = ''] = DURATION.exec(text) ?? []
  return Number(amount) * (UNIT_MS[unit] ?? Number.NaN)
}

const TITLES_MAX = 30
const COUNT = /^ {2}(\d+) (passing|pending|failing)(?: \((\w+)\))?$/
const LISTED = /^ {2,}([✓✔-]) (.+?)(?: \(\d+ms\))?$/
const FAILURE = /^ {2}\d+\) (.+)$/
const VALUES = /^\S+ (?:!==|===|!=|==) \S+$/
const DURATION = /^(\d+)(ms|s|m|h)$/
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

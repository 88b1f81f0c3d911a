import { indentOf } from './indent.ts'
import { takeNodeCount } from './node-spec.ts'
import { type FormatReader, Tally } from './tally.ts'
import { TapDetails } from './tap-details.ts'

/** The Test Anything Protocol, with the subtests of node:test and Vitest. */
export class TapReader implements FormatReader {
  framework = 'tap'
  readonly starts = 'on1T#}'
  readonly indented = 'on1#}'
  readonly tally = new Tally()
  #isTap = false
  /** How deep the last result stood: a result after deeper ones sums them up. */
  #depth = 0
  readonly #names: string[] = []
  #details: TapDetails | null = null
  /** What other runs before this one came to. */
  #before: Counts = { passed: 0, failed: 0, skipped: 0 }
  #isSummedUp = false

  get isOpen(): boolean {
    return this.#details !== null
  }

  take(line: string): boolean {
    const indent = indentOf(line)
    switch (line.charCodeAt(indent)) {
      case SMALL_O:
      case SMALL_N:
        if (this.#takeResult(line, indent)) return this.#isTap
        break
      case ONE:
        if (indent === 0 && PLAN.test(line)) return this.#begin()
        break
      case CAPITAL_T:
        if (line.startsWith('TAP version ')) {
          if (!this.#isTap) Object.assign(this.tally, this.#before)
          return this.#begin()
        }
        break
      case HASH:
        return this.#takeComment(line, indent)
      case CLOSING:
        this.#depth = indent
        return false
    }
    if (this.#details !== null && this.#details.take(line.trim()) === 'over') this.#details = null
    return false
  }

  #begin(): boolean {
    this.#isTap = true
    return true
  }

  #takeResult(line: string, indent: number): boolean {
    const result = RESULT.exec(line)
    if (result === null) return false
    const [, not, text = ''] = result
    const isParent = indent < this.#depth || text.endsWith(' {')
    this.#depth = indent
    this.#details = null
    if (isParent) this.#name(indent, text.replace(AFTER_NAME, ''))
    else this.#count(not === undefined, text, indent)
    return true
  }

  #count(isOk: boolean, text: string, indent: number): void {
    const kind = text.includes('#') && DIRECTIVE.test(text) ? 'skipped' : isOk ? 'passed' : 'failed'
    if (this.#isSummedUp) this.#beginAgain()
    this.tally[kind] += 1
    if (kind !== 'failed') {
      if (this.tally.wantsNames) this.tally.name(kind, this.#path(text, indent))
      return
    }
    const draft = this.tally.open(this.#path(text, indent))
    this.#details = draft === null ? null : new TapDetails(draft)
  }

  #path(text: string, indent: number): string {
    const name = text.replace(AFTER_NAME, '')
    const path = [...this.#names.slice(0, indent / INDENT), name].filter((part) => part !== undefined && part !== '')
    return path.join(' > ')
  }

  #beginAgain(): void {
    const { passed, failed, skipped } = this.tally
    this.#before = { passed, failed, skipped }
    this.#isSummedUp = false
  }

  #name(indent: number, name: string): void {
    this.#names.length = Math.min(this.#names.length, indent / INDENT)
    this.#names[indent / INDENT] = name
  }

  #takeComment(line: string, indent: number): boolean {
    if (line.startsWith(SUBTEST, indent)) this.#name(indent, line.slice(indent + SUBTEST.length))
    else if (indent === 0 && this.#isTap) return this.#takeSummary(line)
    return false
  }

  #takeSummary(line: string): boolean {
    // Its own counts are better than ours: they know of hooks and of what was cancelled.
    if (!this.#isSummedUp && line.startsWith('# tests ')) Object.assign(this.tally, this.#before)
    const what = takeNodeCount(line, this.tally)
    this.#isSummedUp ||= what === 'tests'
    if (what === 'duration_ms') this.framework = 'node:test'
    return what === 'tests'
  }
}

const [HASH, ONE, CAPITAL_T, SMALL_N, SMALL_O, CLOSING] = [0x23, 0x31, 0x54, 0x6e, 0x6f, 0x7d]
type Counts = Pick<Tally, 'passed' | 'failed' | 'skipped'>

const INDENT = 4
const SUBTEST = '# Subtest: '
const RESULT = /^ *(not )?ok \d+(?: - | |$)(.*)$/
const PLAN = /^1\.\.\d+/
const DIRECTIVE = /(?:^| )# (?:skip|todo)\b/i
const AFTER_NAME = /(?:(?:^| )# (?:skip|todo|time)\b.*| \{)$/i

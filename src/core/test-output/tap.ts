import type { FormatReader } from './format-reader.ts'
import { indentOf } from './line-parts.ts'
import { readNodeCount } from './node-spec.ts'
import { Runs } from './runs.ts'
import { Tally } from './tally.ts'
import { TapDetails } from './tap-details.ts'

/** Reads the Test Anything Protocol, with the subtests of node:test and Vitest and the tests of tape. */
export class TapReader implements FormatReader {
  framework = 'tap'
  readonly runs = new Runs()
  readonly starts = 'on1T#}'
  readonly indentedStarts = 'on#}'
  #isTap = false
  /** Number of the last result at the margin; others than the next are something that a test printed. */
  #number = 0
  #planned: number | null = null
  /** Indentation of the last result; a result after deeper ones sums them up. */
  #depth = 0
  readonly #names: string[] = []
  #details: TapDetails | null = null
  /** Details of a result that sums up others. */
  #isParent = false
  /** Title of the test that tape's assertions belong to. */
  #title = ''
  /** Counts that node:test prints at the end; they include hooks and cancelled tests. */
  #counted: Tally | null = null

  get isOpen(): boolean {
    return this.#details !== null
  }

  read(line: string): boolean {
    const indent = indentOf(line)
    switch (line.charAt(indent)) {
      case 'o':
      case 'n':
        if (this.#readResult(line, indent)) return this.#isTap
        break
      case '1':
        if (indent === 0 && this.#readPlan(line)) return true
        break
      case 'T':
        if (line.startsWith('TAP version ')) return this.#begin()
        break
      case '#':
        return this.#readComment(line, indent)
      case '}':
        this.#depth = indent
        return false
    }
    if (this.#details !== null && this.#details.read(line.trim()) === 'over') this.#endDetails()
    return false
  }

  // A protocol inside another is something that a test printed.
  #begin(): boolean {
    if (!this.#isTap) this.runs.tally.clearCounts()
    else if (this.#number === 0 || this.#number !== this.#planned) return true
    else this.runs.next()
    this.#isTap = true
    this.#number = 0
    this.#planned = null
    return true
  }

  #readPlan(line: string): boolean {
    const planned = PLAN.exec(line)?.[1]
    if (planned === undefined) return false
    if (this.#number === 0 || this.#number === Number(planned)) this.#planned = Number(planned)
    if (this.#number === Number(planned)) this.runs.end()
    this.#isTap = true
    return true
  }

  #readResult(line: string, indent: number): boolean {
    const result = RESULT.exec(line)
    if (result === null) return false
    const [, not, number, text = ''] = result
    if (indent === 0) {
      if (this.#isTap && Number(number) !== this.#number + 1) return false
      this.#number = Number(number)
    }
    const isParent = indent < this.#depth || text.endsWith(' {')
    this.#depth = indent
    this.#endDetails()
    if (isParent) this.#readParent(not !== undefined, indent, text)
    else this.#count(not === undefined, text, indent)
    return true
  }

  #readParent(isFailed: boolean, indent: number, text: string): void {
    this.#name(indent, text.replace(AFTER_NAME, ''))
    if (!isFailed || text.endsWith(' {')) return
    this.#isParent = true
    this.#details = new TapDetails({ name: '', file: null, line: null, message: '' })
  }

  #endDetails(): void {
    if (this.#isParent && this.#details?.isSuite === false) this.runs.tally.parentsFailed += 1
    this.#isParent = false
    this.#details = null
  }

  #count(isOk: boolean, text: string, indent: number): void {
    const kind = text.includes('#') && DIRECTIVE.test(text) ? 'skipped' : isOk ? 'passed' : 'failed'
    const { tally } = this.runs
    tally[kind] += 1
    if (kind !== 'failed') {
      if (tally.wantsNames) tally.name(kind, this.#path(text, indent))
      return
    }
    const draft = tally.open(this.#path(text, indent))
    this.#details = draft === null ? null : new TapDetails(draft)
  }

  #path(text: string, indent: number): string {
    const name = text.replace(AFTER_NAME, '')
    const parents = indent === 0 ? [this.#title] : this.#names.slice(0, indent / INDENT)
    return [...parents, name]
      .filter((part, at, all) => part !== undefined && part !== '' && part !== all[at + 1])
      .join(' > ')
  }

  #name(indent: number, name: string): void {
    this.#names.length = Math.min(this.#names.length, indent / INDENT)
    this.#names[indent / INDENT] = name
  }

  #readComment(line: string, indent: number): boolean {
    if (line.startsWith(SUBTEST, indent)) {
      this.#name(indent, line.slice(indent + SUBTEST.length))
      if (indent === 0) this.#title = ''
      return false
    }
    if (indent > 0 || !this.#isTap || line.charAt(1) !== ' ') return false
    return this.#readCount(line) || this.#readTitle(line)
  }

  #readTitle(line: string): false {
    // Tape names a skipped test and runs nothing of it.
    const skipped = line.startsWith('# SKIP ') ? line.slice('# SKIP '.length) : null
    if (skipped !== null) this.runs.tally.addNamed('skipped', skipped)
    else this.#title = line.slice(2).replace(/^TODO /, '')
    return false
  }

  #readCount(line: string): boolean {
    if (line.startsWith('# tests ')) this.#counted = new Tally()
    const what = readNodeCount(line, this.#counted ?? new Tally())
    if (what !== 'duration_ms' || this.#counted === null) return what !== null
    const { passed, failed, skipped, durationMs } = this.#counted
    Object.assign(this.runs.sum(), { passed, failed, skipped, durationMs })
    this.#counted = null
    this.framework = 'node:test'
    return true
  }
}

const INDENT = 4
const SUBTEST = '# Subtest: '
const RESULT = /^ *(not )?ok (\d+)(?: - | |$)(.*)$/
const PLAN = /^1\.\.(\d+)/
const DIRECTIVE = /(?:^| )# (?:skip|todo)\b/i
const AFTER_NAME = /(?:(?:^| )# (?:skip|todo|time)\b.*| \{)$/i

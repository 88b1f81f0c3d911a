import { findLocation, indentOf, lineIn } from './line-parts.ts'
import { readNodeCount } from './node-spec.ts'
import { type FailureDraft, type FormatReader, Tally } from './tally.ts'

/** Reads the Test Anything Protocol, with the subtests of node:test and Vitest. */
export class TapReader implements FormatReader {
  framework = 'tap'
  readonly tally = new Tally()
  #isTap = false
  /** Indentation of the last result; a result after deeper ones sums them up. */
  #depth = 0
  readonly #names: string[] = []
  #details: TapDetails | null = null
  /** Counts of earlier runs in the same output. */
  #before: Counts = { passed: 0, failed: 0, skipped: 0 }
  #isSummedUp = false

  read(line: string): boolean {
    const indent = indentOf(line)
    switch (line.charAt(indent)) {
      case 'o':
      case 'n':
        if (this.#readResult(line, indent)) return this.#isTap
        break
      case '1':
        if (indent === 0 && PLAN.test(line)) return this.#begin()
        break
      case 'T':
        if (line.startsWith('TAP version ')) {
          if (!this.#isTap) Object.assign(this.tally, this.#before)
          return this.#begin()
        }
        break
      case '#':
        return this.#readComment(line, indent)
      case '}':
        this.#depth = indent
        return false
    }
    if (this.#details !== null && this.#details.read(line.trim()) === 'over') this.#details = null
    return false
  }

  #begin(): boolean {
    this.#isTap = true
    return true
  }

  #readResult(line: string, indent: number): boolean {
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

  #readComment(line: string, indent: number): boolean {
    if (line.startsWith(SUBTEST, indent)) this.#name(indent, line.slice(indent + SUBTEST.length))
    else if (indent === 0 && this.#isTap) return this.#readSummary(line)
    return false
  }

  #readSummary(line: string): boolean {
    // These counts replace ours: they include hooks and cancelled tests.
    if (!this.#isSummedUp && line.startsWith('# tests ')) Object.assign(this.tally, this.#before)
    const what = readNodeCount(line, this.tally)
    this.#isSummedUp ||= what === 'tests'
    if (what === 'duration_ms') this.framework = 'node:test'
    return what === 'tests'
  }
}

/** Reads the YAML below a failed TAP result: message and location. */
class TapDetails {
  readonly #draft: FailureDraft
  #part: 'before' | 'keys' | 'message' | 'stack' = 'before'
  #messageLines = 0

  constructor(draft: FailureDraft) {
    this.#draft = draft
  }

  read(text: string): 'more' | 'over' {
    if (text === '...') return 'over'
    if (this.#part === 'before') {
      if (text === '---') this.#part = 'keys'
      return text === '---' || text === '' ? 'more' : 'over'
    }
    const key = KEY.exec(text)
    if (key !== null) this.#readKey(key[1] ?? '', key[2] ?? '')
    else if (this.#part === 'message') this.#readMessage(text)
    else if (this.#part === 'stack') this.#readFrame(text)
    return 'more'
  }

  #readKey(key: string, value: string): void {
    this.#part = 'keys'
    const isBlock = BLOCK.test(value)
    if (key === 'error' || key === 'message') {
      if (isBlock && this.#draft.message === '') this.#part = 'message'
      else if (!isBlock) this.#draft.message ||= unquoted(value)
    }
    if (key === 'location' || key === 'at') findLocation(this.#draft, unquoted(value))
    if (key === 'stack' && isBlock) this.#part = 'stack'
  }

  #readMessage(text: string): void {
    if (text === '' || this.#messageLines === MESSAGE_LINES_MAX) return
    this.#draft.message += this.#messageLines === 0 ? text : ` ${text}`
    this.#messageLines += 1
  }

  // The failing line says more than the line where the test begins.
  #readFrame(frame: string): void {
    const { file } = this.#draft
    const line = file === null ? null : lineIn(frame, file)
    if (file === null) findLocation(this.#draft, frame)
    if (line === null) return
    this.#draft.line = line
    this.#part = 'keys'
  }
}

function unquoted(value: string): string {
  return value.replace(QUOTED, '$2')
}

type Counts = Pick<Tally, 'passed' | 'failed' | 'skipped'>

const INDENT = 4
const SUBTEST = '# Subtest: '
const RESULT = /^ *(not )?ok \d+(?: - | |$)(.*)$/
const PLAN = /^1\.\.\d+/
const DIRECTIVE = /(?:^| )# (?:skip|todo)\b/i
const AFTER_NAME = /(?:(?:^| )# (?:skip|todo|time)\b.*| \{)$/i
const MESSAGE_LINES_MAX = 2
const KEY = /^([a-z_A-Z]+):(?: (.*))?$/
const BLOCK = /^[|>]/
const QUOTED = /^(['"])(.*)\1$/

import type { FormatReader } from './format-reader.ts'
import { type JunitCase, junitCase, xmlAttribute } from './junit-case.ts'
import { findLocation } from './line-parts.ts'
import { Runs } from './runs.ts'
import type { FailureDraft, TestOutcome } from './tally.ts'
import { decodeEntities } from './xml-entities.ts'

/** Reads JUnit's XML, which many frameworks print; tags may span lines. In prose the last document counts, in a report each. */
export class JunitReader implements FormatReader {
  framework = 'junit'
  readonly runs = new Runs()
  readonly starts = '<'
  readonly #counts: 'last' | 'each'
  #isInside = false
  /** Start of a tag that continues on the next line. */
  #rest = ''
  /** End of a comment or of literal text that has begun. */
  #literalEnd: '-->' | ']]>' | null = null
  readonly #suites: string[] = []
  #case: OpenCase | null = null
  #draft: FailureDraft | null = null

  get isOpen(): boolean {
    return this.#isInside
  }

  constructor(counts: 'last' | 'each') {
    this.#counts = counts
  }

  read(line: string): boolean {
    if (!this.#isInside && !this.#begin(line)) return false
    if (this.#rest === '' && this.#draft === null && this.#literalEnd === null && !line.includes('<')) return false
    const text = this.#rest === '' ? line : `${this.#rest}\n${line}`
    this.#rest = ''
    const before = this.#total()
    this.#readText(text)
    return this.#total() > before
  }

  #begin(line: string): boolean {
    if (!BEGINNING.test(line)) return false
    this.#isInside = true
    this.#suites.length = 0
    this.#case = null
    if (this.#counts === 'last') {
      const tally = this.runs.sum()
      tally.failures = []
      tally.passedNames.length = 0
      tally.skippedNames.length = 0
    } else this.runs.end()
    return true
  }

  #total(): number {
    const { passed, failed, skipped } = this.runs.tally
    return passed + failed + skipped
  }

  #readText(text: string): void {
    let done = 0
    while (done < text.length) {
      if (this.#literalEnd !== null) done = this.#readLiteral(text, done, this.#literalEnd)
      else {
        const start = text.indexOf('<', done)
        this.#take(text.slice(done, start < 0 ? text.length : start))
        if (start < 0) return
        done = this.#readMarkup(text, start)
      }
    }
  }

  #readMarkup(text: string, start: number): number {
    for (const [opening, closing] of LITERALS) {
      if (!text.startsWith(opening, start)) continue
      this.#literalEnd = closing
      return start + opening.length
    }
    TAG.lastIndex = start
    const tag = TAG.exec(text)
    if (tag === null && isCutOff(text, start)) {
      this.#rest = text.slice(start)
      return text.length
    }
    if (tag !== null) this.#readTag(tag)
    return tag === null ? start + 1 : TAG.lastIndex
  }

  #readLiteral(text: string, start: number, end: '-->' | ']]>'): number {
    const at = text.indexOf(end, start)
    if (end === ']]>') this.#take(text.slice(start, at < 0 ? text.length : at))
    if (at < 0) return text.length
    this.#literalEnd = null
    return at + end.length
  }

  #take(content: string): void {
    if (this.#draft === null || content === '') return
    if (this.#draft.message === '') this.#draft.message = decodeEntities(content).trim()
    findLocation(this.#draft, content)
  }

  #readTag([, closing, name, attributes = '', closed]: RegExpExecArray): void {
    const isClosing = closing === '/'
    if (name === 'testsuites' || name === 'testsuite') this.#readSuite(isClosing, attributes, closed === '/')
    if (name === 'testsuites' && isClosing) this.#isInside = false
    if (name === 'testcase') {
      if (!isClosing) this.#case = { ...junitCase(attributes, this.#suites), outcome: 'passed' }
      if (isClosing || closed === '/') this.#endCase()
    }
    if (name === 'skipped' && this.#case !== null && !isClosing) this.#skip(this.#case, attributes)
    if (name === 'failure' || name === 'error') this.#draft = isClosing ? null : this.#fail(attributes, closed === '/')
  }

  #readSuite(isClosing: boolean, attributes: string, isWhole: boolean): void {
    const name = isClosing ? '' : (xmlAttribute(attributes, 'name') ?? '')
    if (isClosing) this.#suites.pop()
    else if (!isWhole) this.#suites.push(name)
    const runner = RUNNER.exec(name)?.[1]
    if (runner !== undefined) this.framework = runner.toLowerCase()
  }

  // node:test reports a failure of a test that is still to do.
  #skip(open: OpenCase, attributes: string): void {
    if (open.outcome === 'passed') open.outcome = 'skipped'
    if (xmlAttribute(attributes, 'type') === 'todo') open.outcome = 'todo'
  }

  #fail(attributes: string, isWhole: boolean): FailureDraft | null {
    const open = this.#case
    if (open === null || open.outcome === 'failed' || open.outcome === 'todo') return null
    open.outcome = 'failed'
    const draft = this.runs.tally.open(open.name, open.file)
    if (draft === null) return null
    draft.line = open.line
    draft.message = xmlAttribute(attributes, 'message') ?? ''
    return isWhole ? null : draft
  }

  #endCase(): void {
    if (this.#case === null) return
    const { outcome, name, durationMs } = this.#case
    const { tally } = this.runs
    const kind = outcome === 'todo' ? 'skipped' : outcome
    if (kind === 'failed') tally.failed += 1
    else tally.addNamed(kind, name)
    tally.lasted(durationMs)
    this.#case = null
    this.#draft = null
  }
}

type OpenCase = JunitCase & { outcome: TestOutcome | 'todo' }

function isCutOff(text: string, start: number): boolean {
  return text.length - start <= TAG_MAX && OURS.test(text.slice(start, start + OURS_LENGTH_MAX))
}

const LITERALS = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
] as const
const RUNNER = /^(pytest|vitest|jest|mocha)(?: tests?)?$/i
const BEGINNING = /^<(?:\?xml|testsuite)/
const TAG_MAX = 64 * 1024
const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y
const OURS = /^<\/?(?:testsuites?|testcase|failure|error|skipped)?(?:[\s/]|$)/
const OURS_LENGTH_MAX = 13

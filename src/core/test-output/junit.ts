import { findLocation } from './line-parts.ts'
import { type FailureDraft, type FormatReader, Tally, type TestOutcome } from './tally.ts'

/** Reads JUnit's XML, which many frameworks print; tags may span lines. */
export class JunitReader implements FormatReader {
  readonly framework = 'junit'
  readonly tally = new Tally()
  #isInside = false
  /** Start of a tag that continues on the next line. */
  #rest = ''
  #case: Case | null = null
  #draft: FailureDraft | null = null

  read(line: string): boolean {
    if (!this.#isInside) {
      if (!BEGINNING.test(line)) return false
      this.#isInside = true
    }
    if (this.#rest === '' && this.#draft === null && !line.includes('<')) return false
    const text = this.#rest === '' ? line : `${this.#rest}\n${line}`
    this.#rest = ''
    return this.#readTags(text)
  }

  #readTags(text: string): boolean {
    const before = this.tally.passed + this.tally.failed + this.tally.skipped
    let done = 0
    for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', done)) {
      this.#readText(text, done, start)
      TAG.lastIndex = start
      const tag = TAG.exec(text)
      if (tag === null && isCutOff(text, start)) {
        this.#rest = text.slice(start)
        return this.tally.passed + this.tally.failed + this.tally.skipped > before
      }
      if (tag !== null) this.#readTag(tag)
      done = tag === null ? start + 1 : TAG.lastIndex
    }
    this.#readText(text, done, text.length)
    return this.tally.passed + this.tally.failed + this.tally.skipped > before
  }

  #readText(text: string, start: number, end: number): void {
    if (this.#draft === null || start === end) return
    const content = text.slice(start, end)
    if (this.#draft.message === '') this.#draft.message = decoded(content).trim()
    findLocation(this.#draft, content)
  }

  #readTag([, closing, name, attributes = '', closed]: RegExpExecArray): void {
    const isClosing = closing === '/'
    if (name === 'testsuites' && isClosing) this.#isInside = false
    if (name === 'testcase') {
      if (!isClosing) this.#case = { attributes, kind: 'passed' }
      if (isClosing || closed === '/') this.#endCase()
    }
    if (name === 'skipped' && this.#case !== null && this.#case.kind === 'passed') this.#case.kind = 'skipped'
    if (name === 'failure' || name === 'error') this.#draft = isClosing ? null : this.#fail(attributes, closed === '/')
  }

  #fail(attributes: string, isWhole: boolean): FailureDraft | null {
    const failed = this.#case
    if (failed === null || failed.kind === 'failed') return null
    failed.kind = 'failed'
    const { name, file, line } = namesOf(failed.attributes)
    const draft = this.tally.open(name, file)
    if (draft === null) return null
    draft.line = line
    draft.message = attribute(attributes, 'message') ?? ''
    return isWhole ? null : draft
  }

  #endCase(): void {
    if (this.#case === null) return
    const { kind, attributes } = this.#case
    this.tally[kind] += 1
    if (kind !== 'failed' && this.tally.wantsNames) this.tally.name(kind, namesOf(attributes).name)
    this.tally.lasted(Number(TIME.exec(attributes)?.[1] ?? 0) * 1000)
    this.#case = null
    this.#draft = null
  }
}

interface Case {
  readonly attributes: string
  kind: TestOutcome
}

// A class name is often a file, or a path with dots.
function namesOf(attributes: string): Omit<FailureDraft, 'message'> {
  const of = attribute(attributes, 'classname') ?? ''
  const file = attribute(attributes, 'file') ?? (of.includes('/') ? of : null)
  const name = attribute(attributes, 'name') ?? of
  const line = Number.parseInt(attribute(attributes, 'line') ?? '', 10)
  return { name: file === null && of.includes('.') ? `${of}.${name}` : name, file, line: line > 0 ? line : null }
}

function attribute(attributes: string, name: string): string | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return match === null ? null : decoded(match[1] ?? match[2] ?? '')
}

function decoded(text: string): string {
  return text.replace(ENTITY, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? entity
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= UNICODE_MAX ? String.fromCodePoint(code) : entity
  })
}

function isCutOff(text: string, start: number): boolean {
  return text.length - start <= TAG_MAX && OURS.test(text.slice(start, start + OURS_LENGTH_MAX))
}

const BEGINNING = /^\s*<(?:\?xml|testsuite)/
const TIME = /\stime=["']([\d.]+)/
const TAG_MAX = 64 * 1024
const UNICODE_MAX = 0x10ffff
const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y
const OURS = /^<\/?(?:testsuites?|testcase|failure|error|skipped)?(?:[\s/]|$)/
const OURS_LENGTH_MAX = 13
const ENTITY = /&(#x?[\da-f]+|\w+);/gi
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

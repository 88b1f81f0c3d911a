import { TEST_NAMES_MAX } from '../limits/limits.ts'
import { indentOf } from './indent.ts'
import { type FailureDraft, type FormatReader, Tally } from './tally.ts'

/** `go test`, also with -v. Without -v passing tests are not told, so that passing packages are counted. */
export class GoReader implements FormatReader {
  readonly framework = 'go'
  readonly starts = 'oF?=-\tp#'
  readonly indented = '-'
  readonly tally = new Tally()
  /** Results that subtests may follow, from the outermost. */
  readonly #results: Result[] = []
  /** What tests said while they ran; -v tells it before the result. */
  readonly #said = new Map<string, Said>()
  #running = ''
  #draft: FailureDraft | null = null
  /** What the compiler said of a package, after its name in a line of its own. */
  #fault: Said | 'expected' | null = null
  #tests = 0
  #failed = 0
  #failures: FailureDraft[] = []
  /** Tests of the package that did not fail. */
  #named: { readonly kind: 'passed' | 'skipped'; readonly name: string }[] = []

  get isOpen(): boolean {
    return this.#fault === 'expected' || this.#draft !== null || this.#running !== ''
  }

  take(line: string): boolean {
    switch (line.charCodeAt(0)) {
      case SMALL_O:
      case CAPITAL_F:
      case QUESTION:
        return this.#endPackage(line)
      case EQUALS:
        if (line.startsWith('=== ')) this.#running = line.slice(RUN_LENGTH)
        return false
      case DASH:
      case SPACE:
      case TAB:
        this.#takeTest(line)
        return false
      case SMALL_P:
        if (this.#draft !== null && line.startsWith('panic: ')) this.#draft.message ||= line
        return false
      case HASH:
        if (line.startsWith('# ')) this.#fault ??= 'expected'
        return false
      default:
        if (this.#fault === 'expected') this.#takeFault(line)
        return false
    }
  }

  #takeTest(line: string): void {
    const start = indentOf(line)
    const kind = line.startsWith('--- ', start) ? KINDS[line.slice(start + 4, start + RESULT_LENGTH)] : undefined
    if (kind !== undefined) this.#end(kind, line.slice(start + RESULT_LENGTH, line.lastIndexOf(' (')))
    else if ((this.#draft !== null || this.#running !== '') && line.includes('.go:')) this.#takePlace(line)
  }

  #end(kind: Kind, name: string): void {
    this.#leaveParents(name)
    this.#tests += 1
    this.tally[kind] += 1
    const draft = kind === 'failed' ? this.tally.open(name) : null
    if (kind === 'failed') this.#failed += 1
    else if (this.#named.length < TEST_NAMES_MAX) this.#named.push({ kind, name })
    this.#results.push({ name, kind, draft })
    this.#draft = draft
    const said = this.#said.size === 0 ? undefined : this.#said.get(name)
    if (said !== undefined) this.#said.delete(name)
    if (draft === null) return
    this.#failures.push(draft)
    if (said !== undefined) Object.assign(draft, said)
  }

  /** A test with subtests is what they are; only the innermost count. */
  #leaveParents(name: string): void {
    for (let last = this.#results.at(-1); last !== undefined; last = this.#results.at(-1)) {
      if (name.startsWith(`${last.name}/`)) {
        if (last.kind !== null) this.tally[last.kind] -= 1
        if (last.draft !== null) this.tally.drop(last.draft)
        else if (this.#named.at(-1)?.name === last.name) this.#named.pop()
        last.kind = null
        return
      }
      this.#results.pop()
    }
  }

  #takePlace(line: string): void {
    if (this.#draft === null && (this.#said.size >= SAID_MAX || this.#said.has(this.#running))) return
    const said = SAID.exec(line)
    if (said === null) return
    const told = { file: said[1] ?? '', line: Number(said[2]), message: said[3] ?? '' }
    if (this.#draft !== null) settle(this.#draft, told)
    else this.#said.set(this.#running, told)
  }

  #takeFault(line: string): void {
    const fault = FAULT.exec(line)
    if (fault !== null) this.#fault = { file: fault[1] ?? '', line: Number(fault[2]), message: fault[3] ?? '' }
  }

  #endPackage(line: string): boolean {
    const [, outcome = '', name = '', rest = ''] = (line.includes('\t') ? PACKAGE.exec(line) : null) ?? []
    if (outcome === '') return false
    if (outcome === 'ok  ' && this.#tests === 0) this.tally.passed += 1
    if (outcome === 'FAIL' && this.#failed === 0) this.#failWhole(name, rest)
    for (const draft of this.#failures) draft.name = `${name} ${draft.name}`
    for (const one of this.#named) this.tally.name(one.kind, `${name} ${one.name}`)
    this.tally.lasted(Math.round(Number.parseFloat(rest) * 1000))
    this.#results.length = 0
    if (this.#said.size > 0) this.#said.clear()
    this.#running = ''
    this.#draft = null
    this.#fault = null
    this.#tests = 0
    this.#failed = 0
    this.#failures = []
    this.#named = []
    return true
  }

  #failWhole(name: string, rest: string): void {
    this.tally.failed += 1
    const draft = this.tally.open(name)
    const fault = this.#fault === null || this.#fault === 'expected' ? { message: rest } : this.#fault
    if (draft !== null) Object.assign(draft, fault)
  }
}

type Kind = 'passed' | 'failed' | 'skipped'
type Said = { readonly file: string; readonly line: number; readonly message: string }

interface Result {
  readonly name: string
  readonly draft: FailureDraft | null
  /** null: it has subtests. */
  kind: Kind | null
}

function settle(draft: FailureDraft, { file, line, message }: Said): void {
  if (draft.line === null) Object.assign(draft, { file, line })
  draft.message ||= message
}

const [SMALL_O, SMALL_P, CAPITAL_F, QUESTION, EQUALS] = [0x6f, 0x70, 0x46, 0x3f, 0x3d]
const [TAB, SPACE, HASH, DASH] = [0x09, 0x20, 0x23, 0x2d]
const SAID_MAX = 1000
const RUN_LENGTH = '=== RUN   '.length
const RESULT_LENGTH = '--- PASS: '.length
const KINDS: Readonly<Record<string, Kind>> = { 'PASS: ': 'passed', 'FAIL: ': 'failed', 'SKIP: ': 'skipped' }
// A log line of a test, or a line of a panic's stack in a test file.
const SAID = /^\s+(?:(?=\S+_test\.go:\d+ \+0x)|(?=\S+\.go:\d+: ))(\S+\.go):(\d+)(?:: (.*)| \+0x.*)$/
const FAULT = /^(\S+\.go):(\d+):(?:\d+:)? (.+)$/
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ](.*))?$/

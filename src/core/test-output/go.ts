import { TEST_NAMES_MAX } from '../limits/limits.ts'
import { indentOf } from './line-parts.ts'
import { type FailureDraft, type FormatReader, Tally, type TestOutcome } from './tally.ts'

/** Reads `go test`, also with -v. Without -v passing tests are not printed, so passing packages are counted instead. */
export class GoReader implements FormatReader {
  readonly framework = 'go'
  readonly tally = new Tally()
  /** Results that subtests may follow, outermost first. */
  readonly #results: Result[] = []
  /** First log line of each running test; -v prints it before the result. */
  readonly #logged = new Map<string, Message>()
  #running = ''
  #draft: FailureDraft | null = null
  /** Compiler error of a package; it follows a line with the package's name. */
  #error: Message | 'expected' | null = null
  #tests = 0
  #failed = 0
  #failures: FailureDraft[] = []
  /** Tests of the package that did not fail. */
  #named: { readonly kind: 'passed' | 'skipped'; readonly name: string }[] = []

  read(line: string): boolean {
    switch (line.charAt(0)) {
      case 'o':
      case 'F':
      case '?':
        return this.#endPackage(line)
      case '=':
        if (line.startsWith('=== ')) this.#running = line.slice(RUN_LENGTH)
        return false
      case '-':
      case ' ':
      case '\t':
        this.#readTest(line)
        return false
      case 'p':
        if (this.#draft !== null && line.startsWith('panic: ')) this.#draft.message ||= line
        return false
      case '#':
        if (line.startsWith('# ')) this.#error ??= 'expected'
        return false
      default:
        if (this.#error === 'expected') this.#readError(line)
        return false
    }
  }

  #readTest(line: string): void {
    const start = indentOf(line)
    const kind = line.startsWith('--- ', start) ? KINDS[line.slice(start + 4, start + RESULT_LENGTH)] : undefined
    if (kind !== undefined) this.#end(kind, line.slice(start + RESULT_LENGTH, line.lastIndexOf(' (')))
    else if ((this.#draft !== null || this.#running !== '') && line.includes('.go:')) this.#readLog(line)
  }

  #end(kind: TestOutcome, name: string): void {
    this.#leaveParents(name)
    this.#tests += 1
    this.tally[kind] += 1
    const draft = kind === 'failed' ? this.tally.open(name) : null
    if (kind === 'failed') this.#failed += 1
    else if (this.#named.length < TEST_NAMES_MAX) this.#named.push({ kind, name })
    this.#results.push({ name, kind, draft })
    this.#draft = draft
    const logged = this.#logged.size === 0 ? undefined : this.#logged.get(name)
    if (logged !== undefined) this.#logged.delete(name)
    if (draft === null) return
    this.#failures.push(draft)
    if (logged !== undefined) Object.assign(draft, logged)
  }

  // A test with subtests only sums them up, so the innermost tests count.
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

  #readLog(line: string): void {
    if (this.#draft === null && (this.#logged.size >= LOGGED_MAX || this.#logged.has(this.#running))) return
    const match = LOGGED.exec(line)
    if (match === null) return
    const message = { file: match[1] ?? '', line: Number(match[2]), message: match[3] ?? '' }
    if (this.#draft !== null) complete(this.#draft, message)
    else this.#logged.set(this.#running, message)
  }

  #readError(line: string): void {
    const error = ERROR.exec(line)
    if (error !== null) this.#error = { file: error[1] ?? '', line: Number(error[2]), message: error[3] ?? '' }
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
    if (this.#logged.size > 0) this.#logged.clear()
    this.#running = ''
    this.#draft = null
    this.#error = null
    this.#tests = 0
    this.#failed = 0
    this.#failures = []
    this.#named = []
    return true
  }

  #failWhole(name: string, rest: string): void {
    this.tally.failed += 1
    const draft = this.tally.open(name)
    const error = this.#error === null || this.#error === 'expected' ? { message: rest } : this.#error
    if (draft !== null) Object.assign(draft, error)
  }
}

type Message = { readonly file: string; readonly line: number; readonly message: string }

interface Result {
  readonly name: string
  readonly draft: FailureDraft | null
  /** Null when it has subtests. */
  kind: TestOutcome | null
}

function complete(draft: FailureDraft, { file, line, message }: Message): void {
  if (draft.line === null) Object.assign(draft, { file, line })
  draft.message ||= message
}

/** Reads `go test -json`, which wraps the output of all packages in JSON, mixed line by line. */
export class GoJsonReader implements FormatReader {
  readonly framework = 'go'
  readonly tally = new Tally()
  readonly #packages = new Map<string, GoReader>()

  read(line: string): boolean {
    if (line.charAt(0) !== '{' || !line.includes('"Action":"')) return false
    const event = parseEvent(line)
    // Compiler errors name "package [package.test]".
    const name = event?.Package ?? event?.ImportPath?.split(' ')[0]
    if (event === null || name === undefined) return false
    if (event.Output !== undefined) this.#reader(name).read(event.Output.replace(LINE_END, ''))
    if (event.Test !== undefined || event.Package === undefined || !ENDS.has(event.Action)) return false
    this.tally.add(this.#reader(name).tally)
    this.#packages.delete(name)
    return true
  }

  #reader(name: string): GoReader {
    const known = this.#packages.get(name)
    if (known !== undefined) return known
    const reader = new GoReader()
    this.#packages.set(name, reader)
    return reader
  }
}

interface TestEvent {
  readonly Action: string
  readonly Package?: string
  readonly ImportPath?: string
  readonly Test?: string
  readonly Output?: string
}

function parseEvent(line: string): TestEvent | null {
  try {
    return JSON.parse(line) as TestEvent
  } catch {
    return null // cut off, or JSON of another program
  }
}

const LOGGED_MAX = 1000
const RUN_LENGTH = '=== RUN   '.length
const RESULT_LENGTH = '--- PASS: '.length
const KINDS: Readonly<Record<string, TestOutcome>> = { 'PASS: ': 'passed', 'FAIL: ': 'failed', 'SKIP: ': 'skipped' }
// A log line of a test, or a line of a panic's stack in a test file.
const LOGGED = /^\s+(?:(?=\S+_test\.go:\d+ \+0x)|(?=\S+\.go:\d+: ))(\S+\.go):(\d+)(?:: (.*)| \+0x.*)$/
const ERROR = /^(\S+\.go):(\d+):(?:\d+:)? (.+)$/
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ](.*))?$/
const LINE_END = /\n$/
const ENDS = new Set(['pass', 'fail', 'skip'])

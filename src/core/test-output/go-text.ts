import { TEST_NAMES_MAX } from '../limits/limits.ts'
import { placed } from './go-events.ts'
import { type GoMessage, goError, goLog } from './go-lines.ts'
import { indentOf } from './line-parts.ts'
import type { Runs } from './runs.ts'
import type { FailureDraft, TestOutcome } from './tally.ts'

/** Reads the text of `go test`. Without -v passing tests are not printed, so passing packages are counted instead. */
export class GoText {
  readonly #runs: Runs
  /** Results that subtests may follow, outermost first. */
  readonly #results: Result[] = []
  /** First log line of each running test; -v prints it before the result. */
  readonly #logged = new Map<string, GoMessage>()
  #running = ''
  #draft: FailureDraft | null = null
  /** First compiler error of each package; it follows a line with the package's name. */
  readonly #errors = new Map<string, GoMessage>()
  #unbuilt: string | null = null
  #tests = 0
  #failed = 0
  #failures: FailureDraft[] = []
  /** Tests of the package that did not fail. */
  #named: { readonly kind: 'passed' | 'skipped'; readonly name: string }[] = []

  constructor(runs: Runs) {
    this.#runs = runs
  }

  /** True below the name of a test, or of a package that does not build. */
  get isOpen(): boolean {
    return this.#draft !== null || this.#running !== '' || this.#unbuilt !== null
  }

  /** Reads one line; true when it ends a package. */
  read(line: string): boolean {
    switch (line.charAt(0)) {
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
      default:
        return this.readBuild(line)
    }
  }

  /** Reads a line about a package as a whole; true when it ends the package. */
  readBuild(line: string): boolean {
    switch (line.charAt(0)) {
      case 'o':
      case 'F':
      case '?':
        return this.#endPackage(line)
      case '#':
        this.#unbuilt = UNBUILT.exec(line)?.[1] ?? null
        return false
      default:
        if (this.#unbuilt !== null) this.#readError(this.#unbuilt, line)
        return false
    }
  }

  #readError(name: string, line: string): void {
    const error = goError(line)
    if (error !== null && !this.#errors.has(name) && this.#errors.size < LOGGED_MAX) this.#errors.set(name, error)
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
    this.#runs.tally[kind] += 1
    const draft = kind === 'failed' ? this.#runs.tally.open(name) : null
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
        if (last.kind !== null) this.#runs.tally[last.kind] -= 1
        if (last.draft !== null) this.#runs.tally.drop(last.draft)
        else if (this.#named.at(-1)?.name === last.name) this.#named.pop()
        last.kind = null
        return
      }
      this.#results.pop()
    }
  }

  #readLog(line: string): void {
    if (this.#draft === null && (this.#logged.size >= LOGGED_MAX || this.#logged.has(this.#running))) return
    const message = goLog(line)
    if (message === null) return
    if (this.#draft !== null) complete(this.#draft, message)
    else this.#logged.set(this.#running, message)
  }

  #endPackage(line: string): boolean {
    const [, outcome = '', name = '', rest = ''] = (line.includes('\t') ? PACKAGE.exec(line) : null) ?? []
    if (outcome === '') return false
    const { tally } = this.#runs
    if (outcome === 'ok  ' && this.#tests === 0) tally.passed += 1
    if (outcome === 'FAIL' && this.#failed === 0) this.#failWhole(name, rest)
    for (const draft of this.#failures) {
      draft.name = `${name} ${draft.name}`
      if (draft.file !== null) draft.file = placed({ file: draft.file, message: '' }, name).file
    }
    for (const one of this.#named) tally.name(one.kind, `${name} ${one.name}`)
    tally.lasted(Math.round(Number.parseFloat(rest) * 1000))
    this.#clear()
    this.#runs.end()
    return true
  }

  #clear(): void {
    this.#results.length = 0
    if (this.#logged.size > 0) this.#logged.clear()
    this.#running = ''
    this.#draft = null
    this.#unbuilt = null
    this.#tests = 0
    this.#failed = 0
    this.#failures = []
    this.#named = []
  }

  #failWhole(name: string, rest: string): void {
    this.#runs.tally.failed += 1
    const draft = this.#runs.tally.open(name)
    if (draft !== null) Object.assign(draft, this.#errors.get(name) ?? { message: rest })
  }
}

interface Result {
  readonly name: string
  readonly draft: FailureDraft | null
  /** Null when it has subtests. */
  kind: TestOutcome | null
}

function complete(draft: FailureDraft, { file, line, message }: GoMessage): void {
  if (draft.line === null) Object.assign(draft, { file, line })
  draft.message ||= message
}

const LOGGED_MAX = 1000
const UNBUILT = /^# (\S+)/
const RUN_LENGTH = '=== RUN   '.length
const RESULT_LENGTH = '--- PASS: '.length
const KINDS: Readonly<Record<string, TestOutcome>> = { 'PASS: ': 'passed', 'FAIL: ': 'failed', 'SKIP: ': 'skipped' }
const PACKAGE = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ](.*))?$/

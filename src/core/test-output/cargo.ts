import type { FormatReader } from './format-reader.ts'
import { Runs } from './runs.ts'
import type { FailureDraft } from './tally.ts'

/** Reads `cargo test`: one summary per test program, or the compiler's errors when there is none. */
export class CargoReader implements FormatReader {
  readonly framework = 'cargo'
  readonly runs = new Runs()
  readonly starts = '-tern'
  readonly indentedStarts = '-p'
  #draft: FailureDraft | null = null
  #isInMessage = false
  /** Compiler error whose location is on a later line. */
  #compiling: FailureDraft | null = null
  readonly #compileErrors = new Set<string>()

  get isOpen(): boolean {
    return this.#draft !== null
  }

  read(line: string): boolean {
    if (this.#draft !== null && this.#isInMessage) {
      this.#readMessage(this.#draft, line)
      return false
    }
    switch (line.charAt(0)) {
      case '-':
        this.#open(line)
        return false
      case 't':
        return this.#readTest(line)
      case 'e':
        return this.#readError(line)
      case 'r':
        if (RUNNING.test(line)) this.runs.begin()
        return false
      case 'n':
        if (this.#draft !== null) this.#readNote(this.#draft, line)
        return false
      case ' ':
        return this.#readIndented(line)
      default:
        if (this.#draft !== null) this.#readMessage(this.#draft, line)
        return false
    }
  }

  #open(line: string): void {
    const name = line.startsWith('---- ') ? BLOCK.exec(line)?.[1] : undefined
    if (name === undefined) return
    this.#draft = this.runs.tally.open(name)
    this.#isInMessage = false
  }

  #readTest(line: string): boolean {
    if (line.startsWith('test result: ')) return this.#readSummary(line)
    if (this.#draft === null) return this.#readListed(line)
    if (this.#draft.line !== null) return false
    const panic = PANIC.exec(line)
    if (panic === null) return false
    const [, message, file, number] = panic
    Object.assign(this.#draft, { file, line: Number(number), message: message ?? '' })
    this.#isInMessage = message === undefined
    return false
  }

  #readListed(line: string): false {
    const [, name = '', outcome] = (this.runs.tally.wantsNames ? LISTED.exec(line) : null) ?? []
    if (outcome !== undefined) this.runs.tally.name(outcome === 'ok' ? 'passed' : 'skipped', name)
    return false
  }

  #readSummary(line: string): boolean {
    if (!this.runs.isInside) this.#draft = null
    const tally = this.runs.sum()
    tally.count(line, WORDS)
    tally.lasted(Math.round(Number(TOOK.exec(line)?.[1]) * 1000))
    return true
  }

  #readNote(draft: FailureDraft, line: string): void {
    this.#isInMessage = false
    const [, message, file, number] = NOT_PANICKED.exec(line) ?? []
    if (message === undefined || draft.line !== null) return
    draft.message ||= message
    if (file !== undefined) Object.assign(draft, { file, line: Number(number) })
  }

  #readMessage(draft: FailureDraft, line: string): void {
    if (line.startsWith('Error: ')) draft.message ||= line
    else if (line === '' || line.startsWith('note: ') || line.startsWith('stack backtrace:')) this.#isInMessage = false
    else if (this.#isInMessage) draft.message += draft.message === '' ? line : ` ${line.trim()}`
  }

  #readError(line: string): boolean {
    if (line.startsWith('error: could not compile ')) return this.#compileErrors.size > 0
    if (line.startsWith('error: test failed') || TARGETS.test(line)) return false
    const message = ERROR.exec(line)?.[1]
    if (message !== undefined) this.#compiling = { name: 'build', file: null, line: null, message }
    return false
  }

  #readIndented(line: string): boolean {
    if (this.#compiling !== null) this.#readErrorLocation(this.#compiling, line)
    else if (this.#draft !== null) this.#readMessage(this.#draft, line)
    return this.#readCrash(line)
  }

  // The library is compiled twice, for itself and for its tests, and every error is printed twice.
  #readErrorLocation(error: FailureDraft, line: string): void {
    const location = ARROW.exec(line)
    if (location === null) return
    this.#compiling = null
    const key = `${location[1]}:${location[2]} ${error.message}`
    if (this.#compileErrors.has(key)) return
    this.#compileErrors.add(key)
    this.runs.tally.failed += 1
    const draft = this.runs.tally.open(error.name, location[1] ?? null)
    if (draft !== null) Object.assign(draft, { line: Number(location[2]), message: error.message })
  }

  #readCrash(line: string): boolean {
    const why = line.startsWith(CRASHED) ? CRASH.exec(line)?.[1] : undefined
    if (why === undefined) return false
    this.runs.tally.failed += 1
    const draft = this.runs.tally.open('the test program')
    if (draft !== null) draft.message = `did not end by itself (${why})`
    return true
  }
}

const RUNNING = /^running \d+ tests?$/
const NOT_PANICKED = /^note: (test did not panic as expected)(?: at (\S+?):(\d+):\d+)?$/
const BLOCK = /^---- (.+) stdout ----$/
const PANIC = /^thread '.*' (?:\(\d+\) )?panicked at (?:'(.*)', )?(\S+?):(\d+):\d+:?$/
const LISTED = /^test (.+?)(?: - should panic)? \.\.\. (ok|ignored)\b/
const TOOK = /finished in ([\d.]+)s/
const ERROR = /^error(?:\[E\d+\])?: (.+)$/
const TARGETS = /^error: \d+ targets? failed:$/
const ARROW = /^ +--> (.+?):(\d+):\d+$/
const CRASHED = "  process didn't exit successfully: "
const CRASH = /\((signal: .*)\)$/
const WORDS = { passed: 'passed', failed: 'failed', ignored: 'skipped' } as const

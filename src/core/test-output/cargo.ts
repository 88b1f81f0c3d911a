import { type FailureDraft, type FormatReader, Tally } from './tally.ts'

/** `cargo test`: one summary per test program, and what the compiler says when there is none. */
export class CargoReader implements FormatReader {
  readonly framework = 'cargo'
  readonly starts = '-te'
  readonly indented = 'p'
  readonly tally = new Tally()
  #draft: FailureDraft | null = null
  #isTelling = false
  /** What the compiler found wrong, until it gives up. */
  #compiling: FailureDraft | null = null
  readonly #compileFaults = new Set<string>()

  get isOpen(): boolean {
    return this.#draft !== null || this.#compiling !== null
  }

  take(line: string): boolean {
    switch (line.charCodeAt(0)) {
      case DASH:
        this.#open(line)
        return false
      case SMALL_T:
        return this.#takeTest(line)
      case SMALL_E:
        return this.#takeError(line)
      case SPACE:
        return this.#takeIndented(line)
      default:
        if (this.#draft !== null) this.#tell(this.#draft, line)
        return false
    }
  }

  #open(line: string): void {
    const name = line.startsWith('---- ') ? BLOCK.exec(line)?.[1] : undefined
    if (name === undefined) return
    this.#draft = this.tally.open(name)
    this.#isTelling = false
  }

  #takeTest(line: string): boolean {
    if (line.startsWith('test result: ')) return this.#sumUp(line)
    if (this.#draft === null) return this.#takeListed(line)
    if (this.#draft.line !== null) return false
    const panic = PANIC.exec(line)
    if (panic === null) return false
    const [, message, file, number] = panic
    Object.assign(this.#draft, { file, line: Number(number), message: message ?? '' })
    this.#isTelling = message === undefined
    return false
  }

  #takeListed(line: string): false {
    const [, name = '', outcome] = (this.tally.wantsNames ? LISTED.exec(line) : null) ?? []
    if (outcome !== undefined) this.tally.name(outcome === 'ok' ? 'passed' : 'skipped', name)
    return false
  }

  #sumUp(line: string): boolean {
    this.#draft = null
    this.tally.count(line, WORDS)
    this.tally.lasted(Math.round(Number(TOOK.exec(line)?.[1]) * 1000))
    return true
  }

  #tell(draft: FailureDraft, line: string): void {
    if (line.startsWith('Error: ')) draft.message ||= line
    else if (line === '' || line.startsWith('note: ') || line.startsWith('stack backtrace:')) this.#isTelling = false
    else if (this.#isTelling) draft.message += draft.message === '' ? line : ` ${line.trim()}`
  }

  #takeError(line: string): boolean {
    if (line.startsWith('error: could not compile ')) return this.tally.failed > 0
    if (line.startsWith('error: test failed') || TARGETS.test(line)) return false
    const message = ERROR.exec(line)?.[1]
    if (message !== undefined) this.#compiling = { name: 'build', file: null, line: null, message }
    return false
  }

  #takeIndented(line: string): boolean {
    if (this.#compiling !== null) this.#takeFault(this.#compiling, line)
    else if (this.#draft !== null) this.#tell(this.#draft, line)
    return this.#takeCrash(line)
  }

  /** The library is compiled twice, for itself and for its tests, and says the same twice. */
  #takeFault(fault: FailureDraft, line: string): void {
    const place = ARROW.exec(line)
    if (place === null) return
    this.#compiling = null
    const key = `${place[1]}:${place[2]} ${fault.message}`
    if (this.#compileFaults.has(key)) return
    this.#compileFaults.add(key)
    this.tally.failed += 1
    const draft = this.tally.open(fault.name, place[1] ?? null)
    if (draft !== null) Object.assign(draft, { line: Number(place[2]), message: fault.message })
  }

  #takeCrash(line: string): boolean {
    const why = line.startsWith(CRASHED) ? CRASH.exec(line)?.[1] : undefined
    if (why === undefined) return false
    this.tally.failed += 1
    const draft = this.tally.open('the test program')
    if (draft !== null) draft.message = `did not end by itself (${why})`
    return true
  }
}

const [SPACE, DASH, SMALL_E, SMALL_T] = [0x20, 0x2d, 0x65, 0x74]
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

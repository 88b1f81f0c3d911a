import { durationMsIn } from './durations.ts'
import { findLine, findPlace } from './place.ts'
import { type FailureDraft, type FormatReader, Tally } from './tally.ts'

/** Vitest's own reporters: default, verbose and those that print the same summary. */
export class VitestReader implements FormatReader {
  readonly framework = 'vitest'
  readonly starts = '⎯'
  readonly indented = 'FTED❯✓↓'
  readonly tally = new Tally()
  /** Failures of one block; several share a message when it is the same. */
  #block: FailureDraft[] = []
  #hasMessage = false

  get isOpen(): boolean {
    return this.#block.length > 0 && !this.#hasMessage
  }

  take(line: string): boolean {
    const first = line.charCodeAt(0)
    if (first === SPACE) return this.#takeIndented(line)
    if (first === RULE) this.#takeRule(line)
    else if (this.isOpen && line !== '') this.#tell(line)
    return false
  }

  #takeIndented(line: string): boolean {
    switch (line.charCodeAt(1)) {
      case SPACE:
        return this.#sumUp(line)
      case CAPITAL_F:
        if (line.startsWith(' FAIL  ')) this.#open(line.slice(' FAIL  '.length))
        return false
      case POINTER:
        this.#takeFrame(line)
        return false
      case CHECK:
      case DOWN:
        if (this.tally.wantsNames) this.#takeListed(line)
        return false
      default:
        return false
    }
  }

  /** The verbose reporter names each test. */
  #takeListed(line: string): void {
    const name = LISTED.exec(line)?.[1]
    if (name !== undefined) this.tally.name(line.charCodeAt(1) === CHECK ? 'passed' : 'skipped', name)
  }

  #takeFrame(frame: string): void {
    for (const draft of this.#block) {
      if (draft.file === null) findPlace(draft, frame)
      else findLine(draft, frame)
    }
  }

  #open(title: string): void {
    if (this.#hasMessage) this.#close()
    const [, file = null, name] = TITLE.exec(title) ?? []
    this.#note(this.tally.open(name ?? file ?? title, file))
  }

  #note(draft: FailureDraft | null): void {
    if (draft !== null) this.#block.push(draft)
  }

  #tell(message: string): void {
    for (const draft of this.#block) draft.message = message
    this.#hasMessage = true
  }

  #close(): void {
    this.#block = []
    this.#hasMessage = false
  }

  #takeRule(line: string): void {
    this.#close()
    const [, title = '', count] = HEADING.exec(line) ?? []
    if (title === 'Failed Suites') this.tally.failed += Number(count)
    else if (title.startsWith('Unhandled ') && title !== 'Unhandled Errors') this.#note(this.tally.open(title))
  }

  #sumUp(line: string): boolean {
    if (line.startsWith(TESTS)) this.tally.count(line, WORDS)
    else if (line.startsWith(ERRORS)) this.tally.count(line, { error: 'failed', errors: 'failed' })
    else if (line.startsWith(DURATION)) {
      this.tally.lasted(durationMsIn(line.slice(DURATION.length).split(' ')[0] ?? ''))
    }
    return line.startsWith(TESTS)
  }
}

const [SPACE, CAPITAL_F] = [0x20, 0x46]
const [RULE, POINTER] = ['⎯'.charCodeAt(0), '❯'.charCodeAt(0)]
const [CHECK, DOWN] = ['✓'.charCodeAt(0), '↓'.charCodeAt(0)]
const [TESTS, ERRORS, DURATION] = ['      Tests  ', '     Errors  ', '   Duration  ']
const WORDS = { passed: 'passed', failed: 'failed', skipped: 'skipped', todo: 'skipped' } as const
const TITLE = /^(?:\|[^|]*\| )?(\S+)(?: > (.*)| \[ .* \])?$/
const LISTED = /^ [✓↓] (?:\|[^|]*\| | \S+ {2})?\S+ > (.+?)(?: \d+ms| \[.*\])?$/
const HEADING = /^⎯+ ([A-Z][a-z]+ [A-Z][a-z]+)(?: (\d+))? ⎯+$/

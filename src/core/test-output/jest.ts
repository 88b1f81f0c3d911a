import { durationMsIn } from './durations.ts'
import { findLine } from './place.ts'
import { type FailureDraft, type FormatReader, Tally } from './tally.ts'

/** Jest's own reporters. */
export class JestReader implements FormatReader {
  readonly framework = 'jest'
  readonly starts = 'FPST'
  readonly indented = '●F✓○'
  readonly tally = new Tally()
  #file: string | null = null
  #draft: FailureDraft | null = null
  /** Long runs tell every failure once more at their end. */
  #isTold = false

  get isOpen(): boolean {
    return this.#draft !== null
  }

  take(line: string): boolean {
    switch (line.charCodeAt(0)) {
      case SPACE:
        this.#takeIndented(line)
        return false
      case CAPITAL_F:
        this.#enterFile(line)
        return false
      case CAPITAL_P:
        if (line.startsWith('PASS ')) this.#draft = null
        return false
      case CAPITAL_S:
        this.#isTold ||= line === 'Summary of all failing tests'
        return false
      case CAPITAL_T:
        return this.#sumUp(line)
      default:
        return false
    }
  }

  #enterFile(line: string): void {
    const file = FILE.exec(line)?.[1]
    if (file === undefined) return
    this.#file = file
    this.#draft = null
  }

  #takeIndented(line: string): void {
    if (line.charCodeAt(2) === BULLET) this.#open(line.slice('  ● '.length))
    else if (line.charCodeAt(1) === CAPITAL_F) this.#enterFile(line.trimStart())
    else if (this.#draft !== null) this.#tell(this.#draft, line)
    else if (this.tally.wantsNames) this.#takeListed(line)
  }

  /** Told of single files, or with --verbose. */
  #takeListed(line: string): void {
    const [, mark, name = ''] = LISTED.exec(line) ?? []
    if (mark !== undefined) this.tally.name(mark === '✓' ? 'passed' : 'skipped', name)
  }

  #open(name: string): void {
    this.#draft = null
    if (this.#isTold || name === 'Console') return
    if (name === NOT_RUN) this.tally.failed += 1
    this.#draft = this.tally.open(name, this.#file)
  }

  #tell(draft: FailureDraft, line: string): void {
    const text = line.trim()
    if (text.startsWith('at ')) findLine(draft, text)
    else if (draft.message === '') draft.message = text
    else if (VALUES.test(text)) draft.message += `; ${text}`
  }

  #sumUp(line: string): boolean {
    if (line.startsWith('Time: ')) this.tally.lasted(durationMsIn(line.split(',')[0] ?? ''))
    if (!SUMMARY.test(line)) return false
    this.tally.count(line, WORDS)
    this.#draft = null
    return true
  }
}

const [SPACE, CAPITAL_F, CAPITAL_P, CAPITAL_S, CAPITAL_T] = [0x20, 0x46, 0x50, 0x53, 0x54]
const BULLET = '●'.charCodeAt(0)
const NOT_RUN = 'Test suite failed to run'
const FILE = /^FAIL +(?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/
const LISTED = /^ +([✓○]) (?:skipped )?(.+?)(?: \([\d.]+ m?s\))?$/
const VALUES = /^(Expected|Received)\b.*:/
const SUMMARY = /^Tests: {2,}.*\d+ total$/
const WORDS = { passed: 'passed', failed: 'failed', skipped: 'skipped', todo: 'skipped' } as const

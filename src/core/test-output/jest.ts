import { durationMsIn, findLine } from './line-parts.ts'
import { type FailureDraft, type FormatReader, Tally } from './tally.ts'

/** Reads Jest's reporters. */
export class JestReader implements FormatReader {
  readonly framework = 'jest'
  readonly tally = new Tally()
  #file: string | null = null
  #draft: FailureDraft | null = null
  /** True in the section that repeats every failure at the end of a long run. */
  #isRepeating = false

  read(line: string): boolean {
    switch (line.charAt(0)) {
      case ' ':
        this.#readIndented(line)
        return false
      case 'F':
        this.#enterFile(line)
        return false
      case 'P':
        if (line.startsWith('PASS ')) this.#draft = null
        return false
      case 'S':
        this.#isRepeating ||= line === 'Summary of all failing tests'
        return false
      case 'T':
        return this.#readSummary(line)
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

  #readIndented(line: string): void {
    if (line.charAt(2) === '●') this.#open(line.slice('  ● '.length))
    else if (line.charAt(1) === 'F') this.#enterFile(line.trimStart())
    else if (this.#draft !== null) this.#readDetail(this.#draft, line)
    else if (this.tally.wantsNames) this.#readListed(line)
  }

  // Tests are listed for a single file, or with --verbose.
  #readListed(line: string): void {
    const [, mark, name = ''] = LISTED.exec(line) ?? []
    if (mark !== undefined) this.tally.name(mark === '✓' ? 'passed' : 'skipped', name)
  }

  #open(name: string): void {
    this.#draft = null
    if (this.#isRepeating || name === 'Console') return
    if (name === NOT_RUN) this.tally.failed += 1
    this.#draft = this.tally.open(name, this.#file)
  }

  #readDetail(draft: FailureDraft, line: string): void {
    const text = line.trim()
    if (text.startsWith('at ')) findLine(draft, text)
    else if (draft.message === '') draft.message = text
    else if (VALUES.test(text)) draft.message += `; ${text}`
  }

  #readSummary(line: string): boolean {
    if (line.startsWith('Time: ')) this.tally.lasted(durationMsIn(line.split(',')[0] ?? ''))
    if (!SUMMARY.test(line)) return false
    this.tally.count(line, WORDS)
    this.#draft = null
    return true
  }
}

const NOT_RUN = 'Test suite failed to run'
const FILE = /^FAIL +(?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/
const LISTED = /^ +([✓○]) (?:skipped )?(.+?)(?: \([\d.]+ m?s\))?$/
const VALUES = /^(Expected|Received)\b.*:/
const SUMMARY = /^Tests: {2,}.*\d+ total$/
const WORDS = { passed: 'passed', failed: 'failed', skipped: 'skipped', todo: 'skipped' } as const

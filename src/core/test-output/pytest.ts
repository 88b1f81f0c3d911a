import { type FailureDraft, type FormatReader, Tally } from './tally.ts'

/** Pytest, quiet or not. */
export class PytestReader implements FormatReader {
  readonly framework = 'pytest'
  readonly starts = '=_EF0123456789n'
  readonly indented = ''
  readonly tally = new Tally()
  /** Failures by the name that stands above their traceback. */
  readonly #byTitle = new Map<string, FailureDraft>()
  #draft: FailureDraft | null = null
  #isTelling = false

  get isOpen(): boolean {
    return this.#draft !== null
  }

  take(line: string): boolean {
    switch (line.charCodeAt(0)) {
      case EQUALS:
        this.#draft = null
        if (!line.endsWith('=')) return false
        this.#isTelling = SECTION.test(line)
        return this.#sumUp(line)
      case UNDERLINE:
        if (this.#isTelling) this.#open(line)
        return false
      case CAPITAL_E:
        if (this.#draft !== null && line.startsWith('E  ')) this.#draft.message ||= line.slice(1).trim()
        else if (line.startsWith('ERROR ')) this.#takeListed(line)
        return false
      case CAPITAL_F:
        if (line.startsWith('FAILED ')) this.#takeListed(line)
        return false
      default:
        if (this.#draft !== null) findPlace(this.#draft, line)
        return isDigit(line) && this.#sumUp(line)
    }
  }

  #open(line: string): void {
    const title = TITLE.exec(line)?.[1]?.replace(ERROR_AT, '')
    if (title === undefined) return
    this.#draft = this.tally.open(title)
    if (this.#draft !== null) this.#byTitle.set(title, this.#draft)
  }

  /** The short summary names each test in full. */
  #takeListed(line: string): void {
    this.#draft = null
    const [, id = '', file = '', name, message = ''] = LISTED.exec(line) ?? []
    if (id === '') return
    const known = this.#byTitle.get(name?.replaceAll('::', '.') ?? file)
    const draft = known ?? this.tally.open(id, file)
    if (draft === null) return
    draft.name = name ?? file
    draft.file = file
    draft.message ||= message
  }

  #sumUp(line: string): boolean {
    const [, counts = '', seconds] = SUMMARY.exec(line) ?? []
    if (counts === '') return false
    this.tally.count(counts, WORDS)
    this.tally.lasted(Math.round(Number(seconds) * 1000))
    return true
  }
}

/** The first place that is not in a library. */
function findPlace(draft: FailureDraft, line: string): void {
  if (draft.line !== null || line.startsWith('/')) return
  const place = PLACE.exec(line)
  if (place === null) return
  draft.file = place[1] ?? null
  draft.line = Number(place[2])
}

function isDigit(line: string): boolean {
  const first = line.charCodeAt(0)
  return (first >= 0x30 && first <= 0x39) || line.startsWith('no tests ran')
}

const [EQUALS, UNDERLINE, CAPITAL_E, CAPITAL_F] = [0x3d, 0x5f, 0x45, 0x46]
const SECTION = /^=+ (?:FAILURES|ERRORS) =+$/
const TITLE = /^_{2,} (.+?) _{2,}$/
const ERROR_AT = /^ERROR (?:at (?:setup|teardown) of|collecting) /
const LISTED = /^(?:FAILED|ERROR) (([^:\s]+)(?:::(.+?))?)(?: - (.*))?$/
const PLACE = /^(\S+\.py):(\d+): ?/
const SUMMARY = /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in ([\d.]+)s(?: \([^)]*\))?(?: =+)?$/
const WORDS: Readonly<Record<string, 'passed' | 'failed' | 'skipped'>> = {
  passed: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  error: 'failed',
  errors: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
}

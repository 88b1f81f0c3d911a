import { type FailureDraft, type FormatReader, Tally, type TestOutcome } from './tally.ts'

/** Reads pytest, with or without --quiet. */
export class PytestReader implements FormatReader {
  readonly framework = 'pytest'
  readonly tally = new Tally()
  /** Failures by the title above their traceback. */
  readonly #byTitle = new Map<string, FailureDraft>()
  #draft: FailureDraft | null = null
  #isInFailures = false

  read(line: string): boolean {
    switch (line.charAt(0)) {
      case '=':
        this.#draft = null
        if (!line.endsWith('=')) return false
        this.#isInFailures = SECTION.test(line)
        return this.#readSummary(line)
      case '_':
        if (this.#isInFailures) this.#open(line)
        return false
      case 'E':
        if (this.#draft !== null && line.startsWith('E  ')) this.#draft.message ||= line.slice(1).trim()
        else if (line.startsWith('ERROR ')) this.#readListed(line)
        return false
      case 'F':
        if (line.startsWith('FAILED ')) this.#readListed(line)
        return false
      default:
        if (this.#draft !== null) findLocation(this.#draft, line)
        return mayBeSummary(line) && this.#readSummary(line)
    }
  }

  #open(line: string): void {
    const title = TITLE.exec(line)?.[1]?.replace(ERROR_AT, '')
    if (title === undefined) return
    this.#draft = this.tally.open(title)
    if (this.#draft !== null) this.#byTitle.set(title, this.#draft)
  }

  // The short summary names each test in full.
  #readListed(line: string): void {
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

  #readSummary(line: string): boolean {
    const [, counts = '', seconds] = SUMMARY.exec(line) ?? []
    if (counts === '') return false
    this.tally.count(counts, WORDS)
    this.tally.lasted(Math.round(Number(seconds) * 1000))
    return true
  }
}

// Takes the first location that is not in a library.
function findLocation(draft: FailureDraft, line: string): void {
  if (draft.line !== null || line.startsWith('/')) return
  const location = LOCATION.exec(line)
  if (location === null) return
  draft.file = location[1] ?? null
  draft.line = Number(location[2])
}

function mayBeSummary(line: string): boolean {
  const first = line.charAt(0)
  return (first >= '0' && first <= '9') || line.startsWith('no tests ran')
}

const SECTION = /^=+ (?:FAILURES|ERRORS) =+$/
const TITLE = /^_{2,} (.+?) _{2,}$/
const ERROR_AT = /^ERROR (?:at (?:setup|teardown) of|collecting) /
const LISTED = /^(?:FAILED|ERROR) (([^:\s]+)(?:::(.+?))?)(?: - (.*))?$/
const LOCATION = /^(\S+\.py):(\d+): ?/
const SUMMARY = /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in ([\d.]+)s(?: \([^)]*\))?(?: =+)?$/
const WORDS: Readonly<Record<string, TestOutcome>> = {
  passed: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  error: 'failed',
  errors: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
}

import type { FormatReader } from './format-reader.ts'
import { type PytestId, pytestId } from './pytest-id.ts'
import { Runs } from './runs.ts'
import type { FailureDraft, TestOutcome } from './tally.ts'

/** Reads pytest, with every style of traceback. */
export class PytestReader implements FormatReader {
  readonly framework = 'pytest'
  readonly runs = new Runs()
  readonly starts = '=_-EFn0123456789'
  readonly wantsPercentages = true
  /** Tracebacks by the title above them. */
  readonly #traces = new Map<string, Trace>()
  #trace: Trace | null = null
  /** Places and messages that --tb=line prints without a title. */
  readonly #lines: LineTrace[] = []
  /** Failures that the last list of them names. */
  #listed: FailureDraft[] = []
  #hasFailures = false
  #isListing = false
  #isCaptured = false

  get isOpen(): boolean {
    return this.#hasFailures
  }

  read(line: string): boolean {
    switch (line.charAt(0)) {
      case '=':
        return this.#readRule(line)
      case '_':
        if (this.#hasFailures) this.#open(line)
        return false
      case '-':
        if (this.#trace !== null && CAPTURED.test(line)) this.#isCaptured = true
        return false
      case 'E':
        if (line.startsWith('ERROR ')) this.#readListed(line, 'ERROR '.length)
        else this.#readTrace(line)
        return false
      case 'F':
        if (line.startsWith('FAILED ')) this.#readListed(line, 'FAILED '.length)
        return false
      default:
        if (line.endsWith('%]')) this.#readVerbose(line)
        else if (this.#hasFailures) this.#readTrace(line)
        return mayBeSummary(line) && this.#readSummary(line)
    }
  }

  #readRule(line: string): boolean {
    if (!line.endsWith('=')) return false
    if (this.#readSummary(line)) return true
    const title = RULE.exec(line)?.[1]
    if (title === undefined) return false
    this.#trace = null
    this.#hasFailures ||= title === 'FAILURES' || title === 'ERRORS'
    this.#isListing = title === 'short test summary info'
    if (title === 'test session starts') this.runs.begin()
    if (this.#isListing) this.#listed = []
    return false
  }

  #open(line: string): void {
    const title = TITLE.exec(line)?.[1]?.replace(ERROR_AT, '')
    if (title === undefined || SEPARATOR.test(line)) return
    this.#isCaptured = false
    this.#trace = { title, message: '', plainMessage: '', places: [] }
    if (this.#traces.size < TRACES_MAX) this.#traces.set(title, this.#trace)
  }

  #readTrace(line: string): void {
    if (this.#isCaptured && this.#trace !== null) return
    const place = placeIn(line)
    if (this.#trace === null) {
      const message = place === null ? '' : line.slice(line.indexOf(': ') + 2)
      if (place !== null && this.#lines.length < TRACES_MAX) this.#lines.push({ place, message })
      return
    }
    const trace = this.#trace
    if (place !== null && trace.places.length < PLACES_MAX) trace.places.push(place)
    else if (line.startsWith('E  ')) trace.message ||= line.slice(1).trim()
    else if (NATIVE_ERROR.test(line)) trace.plainMessage ||= line
  }

  // The list at the end names each test in full.
  #readListed(line: string, start: number): void {
    this.#trace = null
    if (!this.#isListing) return
    const { file, name, message } = pytestId(line.slice(start), (title) => this.#traces.has(title))
    const draft: FailureDraft = { name: name ?? file, file, line: null, message: '' }
    this.#complete(draft, { file, name, message })
    if (this.#listed.length < TRACES_MAX) this.#listed.push(draft)
  }

  #complete(draft: FailureDraft, { file, name, message }: PytestId): void {
    const trace = this.#traces.get(titleOf(name ?? file))
    const line = trace === undefined ? this.#takeLine(message) : null
    const at = trace === undefined ? (line?.place ?? null) : bestPlace(trace.places, file)
    if (at?.file === file) draft.line = at.line
    draft.message = trace?.message || trace?.plainMessage || line?.message || message
  }

  #takeLine(message: string): LineTrace | null {
    const start = message.endsWith('...') ? message.slice(0, -3) : message
    const index = start === '' ? -1 : this.#lines.findIndex((line) => line.message.startsWith(start))
    return index < 0 ? null : (this.#lines.splice(index, 1)[0] ?? null)
  }

  #readVerbose(line: string): void {
    const [, id = '', word = ''] = VERBOSE.exec(line) ?? []
    const outcome = VERBOSE_WORDS[word]
    if (outcome === undefined || outcome === 'failed') return
    this.runs.tally.name(outcome, id.slice(id.indexOf('::') + 2))
  }

  #readSummary(line: string): boolean {
    const [, counts = '', seconds] = SUMMARY.exec(line) ?? []
    if (counts === '') return false
    const tally = this.runs.sum()
    tally.count(counts, WORDS)
    tally.lasted(Math.round(Number(seconds) * 1000))
    tally.failures = this.#listed.length > 0 ? this.#listed : [...this.#traces.values()].map(draftOf)
    this.#listed = []
    this.#isListing = false
    return true
  }
}

interface Place {
  readonly file: string
  readonly line: number
}

interface LineTrace {
  readonly place: Place
  readonly message: string
}

interface Trace {
  readonly title: string
  readonly places: Place[]
  message: string
  /** Message of a traceback in Python's own style. */
  plainMessage: string
}

/** Returns a test's name as the title above its traceback has it. */
function titleOf(name: string): string {
  const start = name.indexOf('[')
  const path = start < 0 ? name : name.slice(0, start)
  return `${path.replaceAll('::', '.')}${start < 0 ? '' : name.slice(start)}`
}

function draftOf({ title, places, message, plainMessage }: Trace): FailureDraft {
  const place = bestPlace(places, null)
  return { name: title, file: place?.file ?? null, line: place?.line ?? null, message: message || plainMessage }
}

/** Picks the line of the test itself: the first in its file. */
function bestPlace(places: readonly Place[], file: string | null): Place | null {
  return places.find((place) => place.file === file) ?? places[0] ?? null
}

// Places in libraries say nothing about the work.
function placeIn(line: string): Place | null {
  const [, file = '', number] = LOCATION.exec(line) ?? NATIVE.exec(line) ?? []
  if (number === undefined || file.startsWith('/') || file.includes('site-packages/')) return null
  return { file, line: Number(number) }
}

function mayBeSummary(line: string): boolean {
  const first = line.charAt(0)
  return (first >= '0' && first <= '9') || line.startsWith('no tests ran')
}

const TRACES_MAX = 2_000
const PLACES_MAX = 50
const RULE = /^=+ (.+) =+$/
const TITLE = /^_+ (.+) _+$/
const SEPARATOR = /^[_ ]+$/
const ERROR_AT = /^ERROR (?:at (?:setup|teardown) of|collecting) /
const CAPTURED = /^-+ Captured \w+ \w+ -+$/
const LOCATION = /^([^:"]+\.py):(\d+): ?/
const NATIVE = /^ *File "([^"]+)", line (\d+)/
const NATIVE_ERROR = /^(?:[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt)\b|\[XPASS)/
const VERBOSE = /^(\S.*?\.py::.+) ([A-Z]+)(?: \(.*\))? +\[ *\d+%\]$/
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
const VERBOSE_WORDS: Readonly<Record<string, TestOutcome>> = {
  PASSED: 'passed',
  XPASS: 'passed',
  SKIPPED: 'skipped',
  XFAIL: 'skipped',
}

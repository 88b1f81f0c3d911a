import { indentOf } from './indent.ts'
import { lineIn } from './place.ts'
import { type FailureDraft, type FormatReader, Tally } from './tally.ts'

/** The spec reporter of node:test. */
export class NodeSpecReader implements FormatReader {
  readonly framework = 'node:test'
  readonly starts = 'ℹ✖✔﹣▶'
  readonly indented = '✖✔﹣▶'
  readonly tally = new Tally()
  /** At the end every failure is told again, with its place. */
  #isTelling = false
  #place: { readonly file: string; readonly line: number } | null = null
  #draft: FailureDraft | null = null
  #messageLines = 0
  readonly #suites: { readonly indent: number; readonly name: string }[] = []

  get isOpen(): boolean {
    return this.#isTelling
  }

  take(line: string): boolean {
    const first = line.charCodeAt(0)
    if (first === INFORMATION) return this.#sumUp(line)
    if (first === CROSS && line === '✖ failing tests:') this.#isTelling = true
    else if (this.#isTelling) this.#takeTold(line)
    else if (this.tally.wantsNames) this.#takeListed(line)
    return false
  }

  /** A suite is announced before its tests, and named once more after them. */
  #takeListed(line: string): void {
    const indent = indentOf(line)
    const name = line.slice(indent + 2).replace(TOOK, '')
    const mark = line.charCodeAt(indent)
    const suite = this.#suites.at(-1)
    if (suite?.indent === indent && suite.name === name) this.#suites.pop()
    else if (mark === ARROW) this.#suites.push({ indent, name })
    else if (mark === DASH || line.endsWith('# TODO')) this.tally.name('skipped', name)
    else if (mark === CHECK) this.tally.name('passed', name)
  }

  #sumUp(line: string): boolean {
    const what = takeNodeCount(line, this.tally)
    if (what === 'tests') this.#isTelling = false
    return what === 'tests'
  }

  #takeTold(line: string): void {
    const place = line.startsWith('test at ') ? PLACE.exec(line) : null
    if (place !== null) this.#place = { file: place[1] ?? '', line: Number(place[2]) }
    else if (line.charCodeAt(0) === CROSS) this.#open(line.slice(2).replace(TOOK, ''))
    else if (line === '') this.#draft = null
    else if (this.#draft !== null) this.#tell(this.#draft, line.trim())
  }

  #open(name: string): void {
    this.#draft = this.tally.open(name, this.#place?.file ?? null)
    if (this.#draft !== null) this.#draft.line = this.#place?.line ?? null
    this.#messageLines = 0
  }

  #tell(draft: FailureDraft, text: string): void {
    if (text.startsWith('at ')) this.#leave(draft, text)
    else if (text !== '' && this.#messageLines < MESSAGE_LINES_MAX) {
      draft.message += this.#messageLines === 0 ? text : ` ${text}`
      this.#messageLines += 1
    }
  }

  /** Where it failed says more than where the test begins. */
  #leave(draft: FailureDraft, frame: string): void {
    this.#messageLines = MESSAGE_LINES_MAX
    const line = draft.file === null ? null : lineIn(frame, draft.file)
    if (line === null) return
    draft.line = line
    this.#draft = null
  }
}

/** Takes a line such as "# pass 12", with which node:test ends, and says what it counts. */
export function takeNodeCount(line: string, tally: Tally): string | null {
  const [, what = null, count] = COUNT.exec(line) ?? []
  const kind = what === null ? undefined : KINDS[what]
  if (kind !== undefined) tally[kind] += Number(count)
  if (what === 'duration_ms') tally.lasted(Math.round(Number(count)))
  return what
}

const INFORMATION = 'ℹ'.charCodeAt(0)
const [CROSS, CHECK, DASH, ARROW] = ['✖', '✔', '﹣', '▶'].map((mark) => mark.charCodeAt(0))
const MESSAGE_LINES_MAX = 2
const COUNT = /^[ℹ#] (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) +([\d.]+)$/
const KINDS: Readonly<Record<string, 'passed' | 'failed' | 'skipped'>> = {
  pass: 'passed',
  fail: 'failed',
  cancelled: 'failed',
  skipped: 'skipped',
  todo: 'skipped',
}
const PLACE = /^test at (.+?):(\d+):\d+$/
const TOOK = / \([\d.]+ms\)(?: # .*)?$/

import type { FormatReader } from './format-reader.ts'
import { Runs } from './runs.ts'
import type { FailureDraft } from './tally.ts'

/** Reads Python's unittest, and Django's runner. */
export class UnittestReader implements FormatReader {
  readonly framework = 'unittest'
  readonly runs = new Runs()
  readonly starts = '=-Rt'
  #state: 'outside' | 'rule' | 'title' | 'trace' = 'outside'
  #draft: FailureDraft | null = null
  /** Tests that failed, without hooks and subtests. */
  #failed = new Set<string>()
  #ran: number | null = null
  #durationMs = 0

  get isOpen(): boolean {
    return this.#state !== 'outside' || this.#ran !== null
  }

  read(line: string): boolean {
    if (this.#ran !== null && line !== '') return this.#readResult(line)
    switch (line.charAt(0)) {
      case '=':
        if (line === RULE) this.#state = 'rule'
        return false
      case '-':
        if (line === DASHES && this.#state === 'title') this.#state = 'trace'
        return false
      case 'R':
        this.#readRan(line)
        break
      case 't':
        if (this.#state === 'outside' && this.runs.tally.wantsNames) this.#readListed(line)
    }
    if (this.#state === 'rule') this.#open(line)
    else if (this.#state === 'trace') this.#readTrace(line)
    return false
  }

  #open(line: string): void {
    const [, kind, method = '', id = '', subtest = ''] = TITLE.exec(line) ?? []
    this.#state = kind === undefined ? 'outside' : 'title'
    if (kind === undefined) return
    const test = id.endsWith(`.${method}`) || id === method ? id : `${id}.${method}`
    if (!HOOK.test(method)) this.#failed.add(test)
    this.#draft = this.runs.tally.open(`${test}${subtest}`)
    if (this.#draft !== null && kind.startsWith('UNEXPECTED')) this.#draft.message = 'unexpected success'
  }

  #readTrace(line: string): void {
    const draft = this.#draft
    if (draft === null) return
    const [, file = '', number] = FRAME.exec(line) ?? []
    if (number !== undefined && !file.startsWith('/') && !file.includes('site-packages/')) {
      if (draft.line === null) Object.assign(draft, { file, line: Number(number) })
    } else if (draft.message === '' && ERROR.test(line)) draft.message = line
  }

  // With -v each test is listed with its outcome.
  #readListed(line: string): void {
    const [, method = '', id = '', word = ''] = LISTED.exec(line) ?? []
    if (word === '') return
    const name = id.endsWith(`.${method}`) ? id : `${id}.${method}`
    this.runs.tally.name(word.startsWith('skipped') ? 'skipped' : 'passed', name)
  }

  #readRan(line: string): void {
    const [, count, seconds] = RAN.exec(line) ?? []
    if (count === undefined) return
    this.#ran = Number(count)
    this.#durationMs = Math.round(Number(seconds) * 1000)
    this.#state = 'outside'
    this.#draft = null
  }

  #readResult(line: string): boolean {
    const result = RESULT.exec(line)
    const ran = this.#ran ?? 0
    this.#ran = null
    const failed = this.#failed
    this.#failed = new Set()
    if (result === null) return false
    const counts = new Map([...(result[1] ?? '').matchAll(COUNT)].map(([, what = '', n]) => [what, Number(n)]))
    const of = (what: string) => counts.get(what) ?? 0
    const tally = this.runs.sum()
    tally.failed = of('failures') + of('errors') + of('unexpected successes')
    tally.skipped = of('skipped')
    tally.passed = Math.max(0, ran - Math.min(failed.size, tally.failed) - tally.skipped)
    tally.lasted(this.#durationMs)
    return true
  }
}

const RULE = '='.repeat(70)
const DASHES = '-'.repeat(70)
const TITLE = /^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S+) \(([^)]*)\)(.*)$/
const HOOK = /^(?:setUp|tearDown)(?:Class|Module)$/
const FRAME = /^ {2}File "([^"]+)", line (\d+)/
const ERROR = /^(?!Traceback )[A-Za-z_][\w.]*(?::|$)/
const LISTED = /^(\w+) \(([^)]*)\) \.\.\. (ok|expected failure|skipped .*)$/
const RAN = /^Ran (\d+) tests? in ([\d.]+)s$/
const RESULT = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/
const COUNT = /([a-z][a-z ]+)=(\d+)/g

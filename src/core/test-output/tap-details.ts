import { findLocation, lineIn } from './line-parts.ts'
import type { FailureDraft } from './tally.ts'

/** Reads the YAML below a failed TAP result: message and location. */
export class TapDetails {
  readonly #draft: FailureDraft
  #part: 'before' | 'keys' | 'message' | 'stack' = 'before'
  #messageLines = 0
  /** True for a group of tests, which is no test itself. */
  isSuite = false

  constructor(draft: FailureDraft) {
    this.#draft = draft
  }

  read(text: string): 'more' | 'over' {
    if (text === '...') return 'over'
    if (this.#part === 'before') {
      if (text === '---') this.#part = 'keys'
      return text === '---' || text === '' ? 'more' : 'over'
    }
    const key = KEY.exec(text)
    if (key !== null) this.#readKey(key[1] ?? '', key[2] ?? '')
    else if (this.#part === 'message') this.#readMessage(text)
    else if (this.#part === 'stack') this.#readFrame(text)
    return 'more'
  }

  #readKey(key: string, value: string): void {
    this.#part = 'keys'
    const isBlock = BLOCK.test(value)
    if (key === 'error' || key === 'message') {
      if (isBlock && this.#draft.message === '') this.#part = 'message'
      else if (!isBlock) this.#draft.message ||= unquoted(value)
    }
    if (key === 'type') this.isSuite = unquoted(value) === 'suite'
    if (key === 'expected' || key === 'actual') this.#readValue(key, value)
    if (key === 'location' || key === 'at') findLocation(this.#draft, unquoted(value))
    if (key === 'stack' && isBlock) this.#part = 'stack'
  }

  // Tape has values instead of a message.
  #readValue(key: string, value: string): void {
    if (key === 'expected' && this.#draft.message === '') this.#draft.message = `expected: ${value.trim()}`
    else if (key === 'actual' && this.#draft.message.startsWith('expected: ')) {
      this.#draft.message += `, actual: ${value.trim()}`
    }
  }

  #readMessage(text: string): void {
    if (text === '' || this.#messageLines === MESSAGE_LINES_MAX) return
    this.#draft.message += this.#messageLines === 0 ? text : ` ${text}`
    this.#messageLines += 1
  }

  // The failing line says more than the line where the test begins.
  #readFrame(frame: string): void {
    const { file } = this.#draft
    const line = file === null ? null : lineIn(frame, file)
    if (file === null) findLocation(this.#draft, frame)
    if (line === null) return
    this.#draft.line = line
    this.#part = 'keys'
  }
}

function unquoted(value: string): string {
  return value.replace(QUOTED, '$2')
}

const MESSAGE_LINES_MAX = 2
const KEY = /^([a-z_A-Z]+):(?: (.*))?$/
const BLOCK = /^[|>]/
const QUOTED = /^(['"])(.*)\1$/

import { findPlace, lineIn } from './place.ts'
import type { FailureDraft } from './tally.ts'

/** Reads the YAML below a failed TAP result: what it says, and where. */
export class TapDetails {
  readonly #draft: FailureDraft
  #part: 'before' | 'keys' | 'message' | 'stack' = 'before'
  #messageLines = 0

  constructor(draft: FailureDraft) {
    this.#draft = draft
  }

  take(text: string): 'more' | 'over' {
    if (text === '...') return 'over'
    if (this.#part === 'before') {
      if (text === '---') this.#part = 'keys'
      return text === '---' || text === '' ? 'more' : 'over'
    }
    const key = KEY.exec(text)
    if (key !== null) this.#takeKey(key[1] ?? '', key[2] ?? '')
    else if (this.#part === 'message') this.#tell(text)
    else if (this.#part === 'stack') this.#takeFrame(text)
    return 'more'
  }

  #takeKey(key: string, written: string): void {
    this.#part = 'keys'
    const isBlock = BLOCK.test(written)
    if (key === 'error' || key === 'message') {
      if (isBlock && this.#draft.message === '') this.#part = 'message'
      else if (!isBlock) this.#draft.message ||= unquoted(written)
    }
    if (key === 'location' || key === 'at') findPlace(this.#draft, unquoted(written))
    if (key === 'stack' && isBlock) this.#part = 'stack'
  }

  #tell(text: string): void {
    if (text === '' || this.#messageLines === MESSAGE_LINES_MAX) return
    this.#draft.message += this.#messageLines === 0 ? text : ` ${text}`
    this.#messageLines += 1
  }

  /** Where it failed says more than where the test begins. */
  #takeFrame(frame: string): void {
    const { file } = this.#draft
    const line = file === null ? null : lineIn(frame, file)
    if (file === null) findPlace(this.#draft, frame)
    if (line === null) return
    this.#draft.line = line
    this.#part = 'keys'
  }
}

function unquoted(written: string): string {
  return written.replace(QUOTED, '$2')
}

const MESSAGE_LINES_MAX = 2
const KEY = /^([a-z_A-Z]+):(?: (.*))?$/
const BLOCK = /^[|>]/
const QUOTED = /^(['"])(.*)\1$/

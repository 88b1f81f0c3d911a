import type { FormatReader } from './format-reader.ts'
import { GoEvents } from './go-events.ts'
import { GoText } from './go-text.ts'
import { Runs } from './runs.ts'

/** Reads `go test`, also with -v and with -json. */
export class GoReader implements FormatReader {
  readonly framework = 'go'
  readonly runs = new Runs()
  readonly starts = '\t{oF?=-p#'
  readonly indentedStarts = '-'
  readonly #text = new GoText(this.runs)
  readonly #events = new GoEvents(this.runs)

  get isOpen(): boolean {
    return this.#text.isOpen
  }

  read(line: string): boolean {
    if (line.charAt(0) === '{') return this.#events.read(line)
    // With -json only what the compiler prints is text.
    if (this.#events.isInUse) return this.#text.readBuild(line)
    return this.#text.read(line)
  }
}

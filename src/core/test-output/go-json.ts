import { GoReader } from './go.ts'
import { type FormatReader, Tally } from './tally.ts'

/** `go test -json`: what each package prints, wrapped in JSON and mixed with what others print. */
export class GoJsonReader implements FormatReader {
  readonly framework = 'go'
  readonly starts = '{'
  readonly indented = ''
  readonly isOpen = false
  readonly tally = new Tally()
  readonly #packages = new Map<string, GoReader>()

  take(line: string): boolean {
    if (!line.includes('"Action":"')) return false
    const event = parseEvent(line)
    // What the compiler says is told of "package [package.test]".
    const name = event?.Package ?? event?.ImportPath?.split(' ')[0]
    if (event === null || name === undefined) return false
    if (event.Output !== undefined) this.#reader(name).take(event.Output.replace(LINE_END, ''))
    if (event.Test !== undefined || event.Package === undefined || !ENDS.has(event.Action)) return false
    this.tally.add(this.#reader(name).tally)
    this.#packages.delete(name)
    return true
  }

  #reader(name: string): GoReader {
    const known = this.#packages.get(name)
    if (known !== undefined) return known
    const reader = new GoReader()
    this.#packages.set(name, reader)
    return reader
  }
}

interface TestEvent {
  readonly Action: string
  readonly Package?: string
  readonly ImportPath?: string
  readonly Test?: string
  readonly Output?: string
}

function parseEvent(line: string): TestEvent | null {
  try {
    return JSON.parse(line) as TestEvent
  } catch {
    // A line that was cut off, or JSON of somebody else's.
    return null
  }
}

const LINE_END = /\n$/
const ENDS = new Set(['pass', 'fail', 'skip'])

import type { LineReader } from './line-readers.ts'
import { runnerIn } from './runner-in.ts'

/** Reads the lines that package managers print before a script: "> name@1.0.0 test", then "> jest". */
export class PackageScriptReader implements LineReader {
  readonly starts = '>'
  /** Framework that the first script runs, or null. */
  runner: string | null = null
  readonly #onScript: () => void
  /** Number of lines left that a test cannot have printed. */
  #introduction = INTRODUCTION_LINES

  /** `onScript`: called before each script. */
  constructor(onScript: () => void) {
    this.#onScript = onScript
  }

  get isOpen(): boolean {
    return this.#introduction > 0
  }

  read(line: string): false {
    if (this.#introduction > 0) this.#introduction -= 1
    if (line.charAt(0) !== '>') return false
    if (SCRIPT.test(line)) this.#onScript()
    else if (this.#introduction > 0) this.runner ??= runnerIn(line.slice(1))
    return false
  }
}

const INTRODUCTION_LINES = 8
const SCRIPT = /^> \S+@\S+ \S/

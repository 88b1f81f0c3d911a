/** Makes lines as a reader wants them: as they stand on a terminal in the end, paths from the folder of the check. */
export class PlainLines {
  /** The folder as it is written, and as addresses have it. */
  readonly #folders: readonly string[]
  readonly #path: RegExp

  constructor(folder: string) {
    this.#folders = [...new Set([`${folder}/`, `${encodeURI(folder)}/`])]
    const either = this.#folders.map((path) => path.replaceAll(SPECIAL, '\\$&')).join('|')
    this.#path = new RegExp(`(?:file://|(?<![\\w.-]))(?:${either})`, 'g')
  }

  /** Whether the lines of a text are plain as they are. */
  arePlain(text: string): boolean {
    return !text.includes(ESCAPE) && !text.includes('\r') && !this.#folders.some((folder) => text.includes(folder))
  }

  plain(line: string): string {
    const seen = lastWritten(line.includes(ESCAPE) ? line.replace(CONTROLS, '') : line)
    return this.#folders.some((folder) => seen.includes(folder)) ? seen.replace(this.#path, '') : seen
  }
}

/** What is left of a line when it is written over. */
function lastWritten(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length
  const over = line.lastIndexOf('\r', end - 1)
  return over < 0 && end === line.length ? line : line.slice(over + 1, end)
}

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g
const ESCAPE = '\u001b'
// Colours and cursor movements, character sets, titles and links.
const CONTROLS = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[@-~]|[()]\\w|\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\))`,
  'g',
)

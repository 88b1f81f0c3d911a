/** Makes a text as a reader wants it: as it stands on a terminal in the end, paths from the folder of the check. */
export class PlainText {
  /** The folder as it is written, and as addresses have it. */
  readonly #folders: readonly string[]
  readonly #path: RegExp

  constructor(folder: string) {
    this.#folders = [...new Set([`${folder}/`, `${encodeURI(folder)}/`])]
    const either = this.#folders.map((path) => path.replaceAll(SPECIAL, '\\$&')).join('|')
    this.#path = new RegExp(`(?:file://|(?<![\\w.-]))(?:${either})`, 'g')
  }

  /** Most text is plain as it is, which is quickly seen. */
  of(text: string): string {
    const uncoloured = text.includes(ESCAPE) ? text.replace(COLOURS, '').replace(CONTROLS, '') : text
    const seen = uncoloured.includes('\r') ? uncoloured.replace(LINE_ENDS, '').replace(WRITTEN_OVER, '') : uncoloured
    return this.#folders.some((folder) => seen.includes(folder)) ? seen.replace(this.#path, '') : seen
  }
}

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g
const ESCAPE = '\u001b'
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g')
// The rest: cursor movements, character sets, titles and links.
const CONTROLS = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[@-~]|[()]\\w|\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\))`,
  'g',
)
const LINE_ENDS = /\r+$/gm
// All of a line before its last return: bars and counters.
const WRITTEN_OVER = /^.*\r/gm

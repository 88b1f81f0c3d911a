/** Strips terminal control codes from text and makes paths relative to the check's folder. */
export class PlainText {
  /** Spellings of the folder: as a path, and as it appears in URLs. */
  readonly #folders: readonly string[]
  readonly #path: RegExp

  constructor(folder: string) {
    this.#folders = [...new Set([`${folder}/`, `${encodeURI(folder)}/`])]
    const either = this.#folders.map((path) => path.replaceAll(SPECIAL, '\\$&')).join('|')
    this.#path = new RegExp(`(?:file://|(?<![\\w.-]))(?:${either})`, 'g')
  }

  of(text: string): string {
    // Most text has nothing to strip, and searching for one character is far cheaper than replacing.
    const uncoloured = text.includes(ESCAPE) ? text.replace(COLOURS, '') : text
    const plain = uncoloured.includes(ESCAPE) ? uncoloured.replace(CONTROLS, '') : uncoloured
    const visible = plain.includes('\r') ? plain.replace(LINE_ENDS, '').replace(OVERWRITTEN, '') : plain
    return this.#folders.some((folder) => visible.includes(folder)) ? visible.replace(this.#path, '') : visible
  }
}

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g
const ESCAPE = '\u001b'
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g')
// Other control sequences: cursor movements, character sets, titles and links.
const CONTROLS = new RegExp(
  `${ESCAPE}(?:\\[[0-9;?]*[@-~]|[()]\\w|\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\))`,
  'g',
)
const LINE_ENDS = /\r+$/gm
// Progress bars and counters: everything on a line before its last carriage return.
const OVERWRITTEN = /^.*\r/gm

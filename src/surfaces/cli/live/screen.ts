import type { Output } from '../output.ts'
import type { Size, Terminal } from '../terminal.ts'
import { decodeKeys } from './keys.ts'
import { lineWidth, type ScreenLine, type Tone } from './spans.ts'
import type { PlainKey } from './ui.ts'

/** A terminal that a view has to itself, until it is closed. */
export interface Screen {
  size(): Size
  /** Shows these lines; only those that have changed are written. */
  draw(lines: readonly ScreenLine[]): void
  /** Gives the terminal back as it was. */
  close(): void
}

/** What a person does at a screen. */
export interface ScreenListener {
  pressed(key: PlainKey): void
  /** Ctrl-C. */
  interrupted(): void
  resized(): void
  /** Nobody can press a key any more. */
  lost(): void
}

// The alternate screen keeps what was there before; without wrapping, a character that is wider than we think costs
// its own line only. A frame between the marks of 2026 is shown as one, where a terminal knows them.
const CLEAR = '\u001b[2J'
const ENTER = `\u001b[?1049h\u001b[?25l\u001b[?7l${CLEAR}`
const LEAVE = '\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l'
// After a character in the last column, the cursor is still on it: erasing the rest would erase it too.
const ERASE_REST = '\u001b[K'
const FRAME_START = '\u001b[?2026h'
const FRAME_END = '\u001b[?2026l'

/** Takes the terminal over. */
export function openScreen(terminal: Terminal, colors: Output['colors'], listener: ScreenListener): Screen {
  let shown: readonly string[] = []
  let isOpen = true
  let letGo: (() => void) | null = null
  const enter = () => {
    letGo = terminal.take({ typed, resized, lost: () => listener.lost() })
    terminal.write(ENTER)
  }
  const leave = () => {
    if (letGo === null) return
    letGo()
    letGo = null
    terminal.write(LEAVE)
  }
  const close = () => {
    isOpen = false
    for (const callOff of calledOff) callOff()
    leave()
  }
  const resized = () => {
    // What the terminal makes of the old lines is its own affair: all of them are written anew.
    shown = []
    terminal.write(CLEAR)
    listener.resized()
  }
  const back = () => {
    // A shell that we did not leave it to has it as it wants it.
    letGo?.()
    enter()
    resized()
  }
  const stop = () => {
    leave()
    terminal.stop(() => {
      if (isOpen && letGo === null) back()
    })
  }
  const typed = (text: string) => {
    for (const key of decodeKeys(text)) {
      if (key.kind === 'interrupt') listener.interrupted()
      else if (key.kind === 'stop') stop()
      else listener.pressed(key)
    }
  }
  const calledOff = [terminal.onExit(close), terminal.onBack(back)]
  enter()

  return {
    size: () => terminal.size(),
    draw(lines) {
      if (letGo === null) return
      const { columns } = terminal.size()
      const painted = lines.map((line) => paint(line, colors) + (lineWidth(line) < columns ? ERASE_REST : ''))
      const changes = painted.flatMap((text, row) => (text === shown[row] ? [] : [`\u001b[${row + 1};1H${text}`]))
      shown = painted
      if (changes.length > 0) terminal.write(`${FRAME_START}${changes.join('')}${FRAME_END}`)
    },
    close,
  }
}

function paint(line: ScreenLine, colors: Output['colors']): string {
  const looks: Readonly<Record<Tone, (text: string) => string>> = {
    plain: (text) => text,
    dim: colors.dim,
    strong: colors.bold,
    good: colors.green,
    warn: colors.yellow,
    bad: colors.red,
    live: colors.cyan,
    chosen: colors.inverse,
    painted: (text) => text,
  }
  return line.map(({ text, tone }) => (text === '' ? '' : looks[tone](text))).join('')
}

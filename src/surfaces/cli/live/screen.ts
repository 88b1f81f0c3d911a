import type { Output } from '../output.ts'
import type { Size, Terminal } from '../terminal.ts'
import { decodeKeys } from './keys.ts'
import { lineWidth, type ScreenLine, type Tone } from './spans.ts'
import type { PlainKey } from './ui.ts'

/** Full-screen use of a terminal, until it is closed. */
export interface Screen {
  size(): Size
  /** Shows these lines; writes only those that have changed. */
  draw(lines: readonly ScreenLine[]): void
  /** Restores the terminal. */
  close(): void
}

/** Receives what a person does at a screen. */
export interface ScreenListener {
  pressed(key: PlainKey): void
  /** Called for Ctrl-C. */
  interrupted(): void
  resized(): void
  /** Called when the terminal's input has ended. */
  lost(): void
}

// The alternate screen preserves the old contents. Without wrapping, a character that is wider than measured spoils
// only its own line. Terminals that know mode 2026 show everything between its marks as one frame.
const CLEAR = '\u001b[2J'
const ENTER = `\u001b[?1049h\u001b[?25l\u001b[?7l${CLEAR}`
const LEAVE = '\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l'
// After a character in the last column the cursor is still on it, so erasing the rest would erase it too.
const ERASE_REST = '\u001b[K'
const FRAME_START = '\u001b[?2026h'
const FRAME_END = '\u001b[?2026l'

/** Takes over the terminal. */
export function openScreen(terminal: Terminal, colors: Output['colors'], listener: ScreenListener): Screen {
  let shown: readonly string[] = []
  let isOpen = true
  let release: (() => void) | null = null
  const enter = () => {
    release = terminal.take({ typed, resized, lost: () => listener.lost() })
    terminal.write(ENTER)
  }
  const leave = () => {
    if (release === null) return
    release()
    release = null
    terminal.write(LEAVE)
  }
  const close = () => {
    isOpen = false
    for (const stopListening of listeners) stopListening()
    leave()
  }
  const resized = () => {
    // Terminals differ in how they reflow the old lines, so all of them are written again.
    shown = []
    terminal.write(CLEAR)
    listener.resized()
  }
  const back = () => {
    // After a stop that bypassed leave(), the shell has changed the terminal's modes.
    release?.()
    enter()
    resized()
  }
  const stop = () => {
    leave()
    terminal.stop(() => {
      if (isOpen && release === null) back()
    })
  }
  const typed = (text: string) => {
    for (const key of decodeKeys(text)) {
      if (key.kind === 'interrupt') listener.interrupted()
      else if (key.kind === 'stop') stop()
      else listener.pressed(key)
    }
  }
  const listeners = [terminal.onExit(close), terminal.onBack(back)]
  enter()

  return {
    size: () => terminal.size(),
    draw(lines) {
      if (release === null) return
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

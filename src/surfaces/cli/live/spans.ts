import { stripVTControlCharacters } from 'node:util'
import { cut, left, widthOf } from '../render/columns.ts'

/** How a piece of text is meant, which decides how it looks; `painted`: it has its colors already. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'warn' | 'bad' | 'live' | 'chosen' | 'painted'

/** A piece of a line. */
export interface TextSpan {
  readonly text: string
  readonly tone: Tone
}

/** One line of a screen. */
export type ScreenLine = readonly TextSpan[]

export function span(text: string, tone: Tone = 'plain'): TextSpan {
  return { text, tone }
}

/** A text in exactly so many columns. */
export function atLeft(text: string, width: number): string {
  return left(cut(text, width), width)
}

/** The same, at the right. */
export function atRight(text: string, width: number): string {
  const shown = cut(text, width)
  return ' '.repeat(Math.max(0, width - widthOf(shown))) + shown
}

/** A line cut to so many columns. */
export function cutLine(line: ScreenLine, width: number): ScreenLine {
  const fitting: TextSpan[] = []
  let room = width
  for (const { text, tone } of line) {
    if (room <= 0) break
    const shown = tone === 'painted' ? cutPainted(text, room) : cut(text, room)
    fitting.push({ text: shown, tone })
    room -= widthOf(shown)
  }
  return fitting
}

function cutPainted(text: string, width: number): string {
  return widthOf(text) <= width ? text : cut(stripVTControlCharacters(text), width)
}

/** A line with something at its left and something at its right; what does not fit goes at the left. */
export function spread(start: ScreenLine, end: ScreenLine, width: number): ScreenLine {
  const endWidth = lineWidth(end)
  if (endWidth >= width) return cutLine(start, width)
  const shown = cutLine(start, width - endWidth - 1)
  return [...shown, span(' '.repeat(width - endWidth - lineWidth(shown))), ...end]
}

export function lineWidth(line: ScreenLine): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0)
}

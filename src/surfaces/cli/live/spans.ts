import { stripVTControlCharacters } from 'node:util'
import { cut, left, widthOf } from '../render/columns.ts'

/** Meaning of a piece of text, which decides its colour; `painted` text already has its colours. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'warn' | 'bad' | 'live' | 'chosen' | 'painted'

/** Piece of a line. */
export interface TextSpan {
  readonly text: string
  readonly tone: Tone
}

/** Line of a screen. */
export type ScreenLine = readonly TextSpan[]

export function span(text: string, tone: Tone = 'plain'): TextSpan {
  return { text, tone }
}

/** Fits a text into exactly `width` columns, aligned left. */
export function atLeft(text: string, width: number): string {
  return left(cut(text, width), width)
}

/** Fits a text into exactly `width` columns, aligned right. */
export function atRight(text: string, width: number): string {
  const shown = cut(text, width)
  return ' '.repeat(Math.max(0, width - widthOf(shown))) + shown
}

/** Cuts a line to `width` columns. */
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

/** Builds a line with a left and a right part; if they do not fit, the left part is cut. */
export function spread(start: ScreenLine, end: ScreenLine, width: number): ScreenLine {
  const endWidth = lineWidth(end)
  if (endWidth >= width) return cutLine(start, width)
  const shown = cutLine(start, width - endWidth - 1)
  return [...shown, span(' '.repeat(width - endWidth - lineWidth(shown))), ...end]
}

export function lineWidth(line: ScreenLine): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0)
}

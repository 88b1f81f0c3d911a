import stringWidth from 'string-width'

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text)
}

// Latin letters and the signs that we draw with, one column each: most of what is shown, and twenty times as fast.
const NARROW = /^[ -~\u00a1-\u00ac\u00ae-\u02ff–—‘’“”…←-↓−⊘─-◼✓✗❯]*$/

/** A text without anything that a terminal would take for more than text. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, ' ')
}

// Control characters, the ends of lines, and the marks that turn the direction of writing around.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/** A text in at most so many columns, with a sign where something is left out; null: all of it. */
export function cut(text: string, width: number | null): string {
  if (NARROW.test(text) && (width === null || text.length <= width)) return text
  const clean = printable(text)
  if (width === null || widthOf(clean) <= width) return clean
  return width <= 0 ? '' : `${firstColumns(clean, width - 1)}…`
}

/** A text in at least so many columns. */
export function left(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** A text on as many lines as it needs, broken between words and, where a word is too long, within it. */
export function wrap(text: string, width: number | null): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width))
}

/** The same, some columns to the right. */
export function indented(text: string, columns: number, width: number | null): readonly string[] {
  return wrap(text, width === null ? null : width - columns).map((line) => `${' '.repeat(columns)}${line}`.trimEnd())
}

/** A text beside its head, with further lines below the first; what has no room in one piece is left whole, for copying. */
export function hanging(head: string, text: string, width: number | null): readonly string[] {
  const columns = widthOf(head)
  const hasRoom = width !== null && text.split(/\s/).every((word) => widthOf(word) <= width - columns)
  const [first = '', ...rest] = indented(text, columns, hasRoom ? width : null)
  return [`${head}${first.slice(columns)}`.trimEnd(), ...rest]
}

function wrapLine(line: string, width: number | null): readonly string[] {
  const clean = printable(line.trimEnd())
  if (width === null || width < NARROWEST || widthOf(clean) <= width) return [clean]
  const mark = /^ *(- )?/.exec(clean)?.[0].slice(0, width / 2) ?? ''
  const indent = ' '.repeat(mark.length)
  const lines: string[] = []
  let current = mark
  for (const word of clean.slice(mark.length).split(' ').filter(Boolean)) {
    const isFirst = current === mark || current === indent
    const joined = isFirst ? `${current}${word}` : `${current} ${word}`
    if (widthOf(joined) > width && !isFirst) lines.push(current)
    current = widthOf(joined) <= width ? joined : `${isFirst ? current : indent}${word}`
    for (; widthOf(current) > width; current = `${indent}${current.slice(lines.at(-1)?.length)}`) {
      lines.push(firstColumns(current, width))
    }
  }
  return [...lines, current]
}

/** Half of it for the indent still has room for the widest character. */
const NARROWEST = 4
const graphemes = new Intl.Segmenter()

/** As many whole characters as fit. */
function firstColumns(text: string, width: number): string {
  let [taken, columns] = ['', 0]
  for (const { segment } of graphemes.segment(text)) {
    columns += widthOf(segment)
    if (columns > width) break
    taken += segment
  }
  return taken
}

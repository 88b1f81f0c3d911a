import stringWidth from 'string-width'

/** Counts the columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text)
}

// Latin letters and our drawing characters, one column each: most of what is shown, and twenty times as fast to measure.
const NARROW = /^[ -~\u00a1-\u00ac\u00ae-\u02ff–—‘’“”…←-↓−⊘─-◼✓✗❯]*$/

/** Replaces everything that a terminal would interpret instead of showing. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, ' ')
}

// Control characters, line separators, and marks that change the writing direction.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu

/** Cuts a text to `width` columns, with an ellipsis where something is left out; null keeps all of it. */
export function cut(text: string, width: number | null): string {
  if (NARROW.test(text) && (width === null || text.length <= width)) return text
  const clean = printable(text)
  if (width === null || widthOf(clean) <= width) return clean
  return width <= 0 ? '' : `${firstColumns(clean, width - 1)}…`
}

/** Pads a text to at least `width` columns. */
export function left(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** Wraps a text between words, and within a word that is too long. */
export function wrap(text: string, width: number | null): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width))
}

/** Wraps a text and indents it by `columns`. */
export function indented(text: string, columns: number, width: number | null): readonly string[] {
  return wrap(text, width === null ? null : width - columns).map((line) => `${' '.repeat(columns)}${line}`.trimEnd())
}

/** Wraps a text beside its head, as a hanging indent; a text with a word that does not fit is not wrapped, for copying. */
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

/** Smallest width to wrap at: half of it is indent, the rest fits the widest character. */
const NARROWEST = 4
const graphemes = new Intl.Segmenter()

/** Returns as many whole characters as fit. */
function firstColumns(text: string, width: number): string {
  let [taken, columns] = ['', 0]
  for (const { segment } of graphemes.segment(text)) {
    columns += widthOf(segment)
    if (columns > width) break
    taken += segment
  }
  return taken
}

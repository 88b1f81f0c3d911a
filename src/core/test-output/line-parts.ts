import type { FailureDraft } from './tally.ts'

/** Counts the spaces at the start of a line. */
export function indentOf(line: string): number {
  let indent = 0
  while (line.charCodeAt(indent) === SPACE) indent += 1
  return indent
}

/** Reads milliseconds from "909ms", "1.01s", "0.697 s" or "2 m 3 s"; NaN when the text has none of these forms. */
export function durationMsIn(text: string): number {
  const parts = [...text.matchAll(DURATION_PART)]
  if (parts.length === 0) return Number.NaN
  return Math.round(parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0))
}

/** Finds the line number that follows a file name, as in a stack frame: "at sum (src/sum.test.js:5:24)". */
export function lineIn(text: string, file: string): number | null {
  const start = text.lastIndexOf(`${file}:`)
  if (start < 0) return null
  const line = Number.parseInt(text.slice(start + file.length + 1), 10)
  return line > 0 ? line : null
}

/** Sets a failure's line number from a text that names its file. */
export function findLine(draft: FailureDraft, text: string): void {
  if (draft.file !== null) draft.line ??= lineIn(text, draft.file)
}

/** Sets a failure's file and line number from the first location in a text. */
export function findLocation(draft: FailureDraft, text: string): void {
  if (draft.line !== null) return
  const location = LOCATION.exec(text.slice(0, SEARCHED_MAX).replace('file://', ''))
  if (location === null) return
  draft.file = location[1] ?? null
  draft.line = Number(location[2])
}

const SPACE = 0x20
const DURATION_PART = /([\d.]+) ?(ms|m|s)\b/g
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
// The expression restarts at every word, so a long line without a location would take quadratic time.
const SEARCHED_MAX = 1000
// A path with an extension, and a line number: src/sum.test.ts:6:24.
const LOCATION = /((?:\/|\b)[\w@.+/-]*\w\.[a-z]{1,4}):(\d{1,7})\b/i

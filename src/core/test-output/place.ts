import type { FailureDraft } from './tally.ts'

/** The line at which a text names a file, as stacks do: "at sum (src/sum.test.js:5:24)". */
export function lineIn(text: string, file: string): number | null {
  const start = text.lastIndexOf(`${file}:`)
  if (start < 0) return null
  const line = Number.parseInt(text.slice(start + file.length + 1), 10)
  return line > 0 ? line : null
}

/** Notes the line of a failed test where a text names its file. */
export function findLine(draft: FailureDraft, text: string): void {
  if (draft.file !== null) draft.line ??= lineIn(text, draft.file)
}

/** Notes file and line of a failed test from the first place that a text names. */
export function findPlace(draft: FailureDraft, text: string): void {
  if (draft.line !== null) return
  const place = PLACE.exec(text.slice(0, TEXT_MAX).replace('file://', ''))
  if (place === null) return
  draft.file = place[1] ?? null
  draft.line = Number(place[2])
}

// Long lines without a place would be searched again from each of their words.
const TEXT_MAX = 1000
// A path with an ending, and a line: src/sum.test.ts:6:24.
const PLACE = /((?:\/|\b)[\w@.+/-]*\w\.[a-z]{1,4}):(\d{1,7})\b/i

import { EXCERPT_MAX } from '../limits/limits.ts'

/** Head and tail of a text, within a number of characters. */
export function excerpt(text: string, max: number = EXCERPT_MAX): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 40) / 2)
  const left = text.length - 2 * half
  return `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`
}

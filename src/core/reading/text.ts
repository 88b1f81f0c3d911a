import { EXCERPT_MAX } from '../limits/limits.ts'

/** Head and tail of a text, within a number of characters. */
export function excerpt(text: string, max: number = EXCERPT_MAX): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 40) / 2)
  const left = text.length - 2 * half
  return `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`
}

/** A text with {name} filled in for each name that is given; not after a dollar sign: "${task}" is the shell's own. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/(?<!\$)\{(\w+)\}/g, (written, name: string) => {
    return Object.hasOwn(values, name) ? String(values[name]) : written
  })
}

/** The pattern of a glob: * stands for any text, ? for any character. */
export function globPattern(glob: string): RegExp {
  const literal = glob.replaceAll(/[\\^$.+()[\]{}|/-]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/\*+/g, '.*').replaceAll('?', '.')}$`, 's')
}

const STARTS_MAX = 20

/** The JSON object in a model's words, whatever it says before and after it; null: there is none. */
export function jsonIn(text: string): Readonly<Record<string, unknown>> | null {
  const end = text.lastIndexOf('}')
  let start = text.indexOf('{')
  for (let tries = 0; start >= 0 && start < end && tries < STARTS_MAX; tries += 1) {
    const value = parsed(text.slice(start, end + 1))
    if (value !== null) return value
    start = text.indexOf('{', start + 1)
  }
  return null
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    // A brace in prose begins no object: the next one may.
    return null
  }
}

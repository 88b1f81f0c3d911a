import { EXCERPT_MAX } from '../limits/limits.ts'

/** Returns head and tail of a text within a number of characters. */
export function excerpt(text: string, max: number = EXCERPT_MAX): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 40) / 2)
  const omitted = text.length - 2 * half
  return `${text.slice(0, half)}\n… ${omitted} characters omitted …\n${text.slice(-half)}`
}

/** Replaces {name} by its value; not after a dollar sign, since "${task}" belongs to the shell. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/(?<!\$)\{(\w+)\}/g, (written, name: string) => {
    return Object.hasOwn(values, name) ? String(values[name]) : written
  })
}

/** Returns the pattern of a glob: * matches any text, ? any character. */
export function globPattern(glob: string): RegExp {
  const literal = glob.replaceAll(/[\\^$.+()[\]{}|/-]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/\*+/g, '.*').replaceAll('?', '.')}$`, 's')
}

const STARTS_MAX = 20

/** Returns the JSON object in a model's answer, whatever surrounds it, or null when there is none. */
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
    // A brace in prose starts no object; the next one may.
    return null
  }
}

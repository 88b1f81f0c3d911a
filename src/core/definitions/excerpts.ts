import type { Extract } from './place.ts'

/** Extracts an entry of a JSON text, which may contain comments; a string comes without quotes. */
export function jsonEntry(...entry: readonly string[]): Extract {
  return (text, snapshot) => {
    const value = valueAt(snapshot.json(text), entry)
    if (value === undefined) return null
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

/** Returns a value inside another, or undefined. */
export function valueAt(value: unknown, entry: readonly string[]): unknown {
  return entry.reduce<unknown>((holder, key) => {
    return isRecord(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined
  }, value)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Extracts the sections of an INI or TOML text whose headings match, without blank lines and comments. */
export function section(heading: RegExp): Extract {
  return (text) => {
    let isInside = false
    const lines = text.split('\n').filter((line) => {
      if (line.trim().startsWith('[') && !line.trim().endsWith(',')) isInside = heading.test(line.trim())
      return isInside && isSaying(line)
    })
    return lines.length === 0 ? null : lines.map((line) => line.trim()).join('\n')
  }
}

/** Extracts the lines that match, without blank lines and comments. */
export function linesThat(matches: (line: string) => boolean): Extract {
  return (text) => {
    const lines = text.split('\n').filter((line) => isSaying(line) && matches(line))
    return lines.length === 0 ? null : lines.map((line) => line.trim()).join('\n')
  }
}

/** Extracts a text without its blocks that start with a pattern and end with the matching bracket. */
export function withoutBlocks(start: RegExp): Extract {
  return (text) => {
    let rest = text
    for (let match = start.exec(rest), at = 0; match !== null && at < BLOCKS_MAX; match = start.exec(rest), at += 1) {
      rest = rest.slice(0, match.index) + rest.slice(endOfBlock(rest, match.index + match[0].length))
    }
    return rest.trim()
  }
}

function endOfBlock(text: string, from: number): number {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
  }
  return at
}

function isSaying(line: string): boolean {
  return line.trim() !== '' && !/^\s*[#;]/.test(line)
}

const BLOCKS_MAX = 50

import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import type { Path } from '../../../core/reading/schema-faults.ts'
import { type Reading, unreadable } from './raw-backlog.ts'
import { scanJson } from './scan-json.ts'
import { readTopLevel } from './top-level.ts'

/** Reads a task file in JSON. */
export function readJson(text: string): Reading {
  const value = parseJson(text)
  if (value === undefined) return unreadable(jsonSyntaxFault(text))
  return readTopLevel(value, (path, at) => lineAt(text, jsonOffset(text, path, at)))
}

/** Parses JSON, or returns undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // `scanJson` finds the fault with its offset, and with a text that does not depend on the version of Node.
    return undefined
  }
}

/** Finds the first syntax error in JSON. */
export function jsonSyntaxFault(text: string): PlacedFault {
  const { offset, expected } = scanJson(text, () => 'continue') ?? { offset: 0, expected: 'JSON' }
  const isMore = expected === 'nothing more'
  const got =
    offset >= text.trimEnd().length
      ? 'the end'
      : JSON.stringify(/[^\s,:{}[\]"]{1,20}|./y.exec(text.slice(offset, offset + 20))?.[0])
  return {
    code: 'task-file-syntax',
    line: lineAt(text, offset),
    message: `not valid JSON: expected ${expected}, got ${got}.`,
    hint: isMore
      ? 'Name a file with one JSON value per line ".jsonl"; in a ".json" file put all tasks into one list.'
      : 'Fix it there; JSON has no comments, no trailing commas and only double quotes.',
  }
}

/** Returns the offset of the key or value at a path, or of the deepest existing part of the path. */
function jsonOffset(text: string, path: Path, at: 'key' | 'value'): number {
  let nearest = 0
  let rank = -1
  scanJson(text, (place, offset, kind) => {
    if (place.length > path.length || !place.every((key, step) => key === path[step])) return 'continue'
    const isExact = kind === (place.length === path.length ? at : 'value')
    const placeRank = place.length * 2 + (isExact ? 1 : 0)
    if (placeRank > rank) {
      rank = placeRank
      nearest = offset
    }
    return rank === path.length * 2 + 1 ? 'stop' : 'continue'
  })
  return nearest
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import type { Path } from '../../../core/reading/schema-faults.ts'
import { type Reading, unreadable } from './raw-backlog.ts'
import { scanJson } from './scan-json.ts'
import { readTopLevel } from './top-level.ts'

/** Reads a task file in JSON. */
export function readJson(text: string): Reading {
  const value = parsedJson(text)
  if (value === undefined) return unreadable(jsonSyntaxFault(text))
  return readTopLevel(value, (path, at) => lineAt(text, jsonOffset(text, path, at)))
}

/** The value of JSON text, or undefined when it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The scan says what is wrong: with its place, and in words that do not depend on the version of Node.
    return undefined
  }
}

/** Where text stops being JSON, and what should have been there. */
export function jsonSyntaxFault(text: string): PlacedFault {
  const { offset, expected } = scanJson(text, () => 'go-on') ?? { offset: 0, expected: 'JSON' }
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
      ? 'Call a file with one JSON value per line ".jsonl"; in a ".json" file put all tasks into one list.'
      : 'Mend it there; JSON has no comments, no trailing commas and only double quotes.',
  }
}

/** Where the key or value of a path begins, or the last thing on the way that is really there. */
function jsonOffset(text: string, path: Path, at: 'key' | 'value'): number {
  let found = 0
  let rank = -1
  scanJson(text, (place, offset, kind) => {
    if (place.length > path.length || !place.every((key, step) => key === path[step])) return 'go-on'
    const isWanted = kind === (place.length === path.length ? at : 'value')
    const placeRank = place.length * 2 + (isWanted ? 1 : 0)
    if (placeRank > rank) {
      rank = placeRank
      found = offset
    }
    return rank === path.length * 2 + 1 ? 'stop' : 'go-on'
  })
  return found
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

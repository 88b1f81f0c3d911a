import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { type Path, schemaFaults, valueText } from '../../../core/reading/schema-faults.ts'
import { type EntryList, notATaskFile, type RawBacklog, type Reading, unreadable } from './raw-backlog.ts'

/** Returns the line of a key or value at a path in a file. */
export type LineOf = (path: Path, at: 'key' | 'value') => number

/** Reads the lists of tasks and milestones of a document, or a plain list of tasks. */
export function readTopLevel(value: unknown, lineOf: LineOf): Reading {
  if (Array.isArray(value)) return { raw: rawBacklog([], value, (_, path, at) => lineOf(path, at)), faults: [] }
  if (value === null) return unreadable()
  if (!isMap(value)) return unreadable(notATaskFile(1, `it holds ${valueText(value)}`))
  const keys = Object.keys(value)
  if (!keys.some((key) => nearestName(key, LISTS) !== null)) {
    return unreadable(notATaskFile(1, `it has no "tasks", only ${keys.slice(0, 5).map(valueText).join(', ')}`))
  }
  const raw = rawBacklog(listAt(value, 'milestones'), listAt(value, 'tasks'), (list, path, at) =>
    lineOf([list, ...path], at),
  )
  return { raw, faults: topLevelFaults(value, lineOf) }
}

/** Lists in a task file. */
export const LISTS: readonly EntryList[] = ['milestones', 'tasks']

/** True for a map of keys. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the faults of a document's own keys, without those inside its lists. */
export function topLevelFaults(value: Readonly<Record<string, unknown>>, lineOf: LineOf): readonly PlacedFault[] {
  const unknown = Object.keys(value).filter((key) => !LISTS.some((list) => list === key))
  const noLists = LISTS.filter(
    (list) => value[list] !== undefined && value[list] !== null && !Array.isArray(value[list]),
  )
  const issues = [
    { code: 'unrecognized_keys', path: [], message: '', keys: unknown },
    ...noLists.map((list) => ({ code: 'invalid_type', path: [list], message: `a list of ${list}` })),
  ]
  const faults = schemaFaults(issues, value, { nameOf: (path) => path.join('.'), keysAt: () => LISTS })
  return faults.map(({ path, at, message, hint }) => ({
    code: 'task-file-invalid',
    line: lineOf(path, at),
    message,
    hint,
  }))
}

/** Returns a list of a document, or an empty one when it is missing or not a list. */
export function listAt(value: Readonly<Record<string, unknown>>, list: EntryList): readonly unknown[] {
  const entries = value[list]
  return Array.isArray(entries) ? entries : []
}

function rawBacklog(
  milestones: readonly unknown[],
  tasks: readonly unknown[],
  lineOf: (list: EntryList, path: Path, at: 'key' | 'value') => number,
): RawBacklog {
  const done: ReadonlySet<number> = new Set()
  return { milestones, tasks, done, lineOf: (list, index, path, at) => lineOf(list, [index, ...path], at) }
}

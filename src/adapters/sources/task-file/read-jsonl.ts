import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import type { EntryList, Reading } from './raw-backlog.ts'
import { jsonSyntaxFault, parseJson } from './read-json.ts'
import { isMap, LISTS, listAt, topLevelFaults } from './top-level.ts'

/** Reads JSON lines: each is a task, or a map with the lists "milestones" or "tasks" as in the other formats. */
export function readJsonLines(text: string): Reading {
  const entries: Record<EntryList, unknown[]> = { milestones: [], tasks: [] }
  const lineNumbers: Record<EntryList, number[]> = { milestones: [], tasks: [] }
  const faults: PlacedFault[] = []
  const add = (list: EntryList, entry: unknown, line: number) => {
    entries[list].push(entry)
    lineNumbers[list].push(line)
  }
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1
    const value = content.trim() === '' ? undefined : parseJson(content)
    if (value === undefined) {
      if (content.trim() !== '') faults.push({ ...jsonSyntaxFault(content), line })
    } else if (isMap(value) && LISTS.some((list) => list in value)) {
      faults.push(...topLevelFaults(value, () => line))
      for (const list of LISTS) for (const entry of listAt(value, list)) add(list, entry, line)
    } else {
      add('tasks', value, line)
    }
  }
  const lineOf = (list: EntryList, index: number) => lineNumbers[list][index] ?? 1
  return { raw: { ...entries, done: new Set(), lineOf }, faults }
}

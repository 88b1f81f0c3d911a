import type { Backlog } from '../../../core/model/task.ts'
import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import { type SchemaIssue, schemaFaults } from '../../../core/reading/schema-faults.ts'
import { backlogFaultText } from '../../../core/schedule/backlog-fault-text.ts'
import { type BacklogFault, checkBacklog, type KnownIds } from '../../../core/schedule/check-backlog.ts'
import { entryNames } from './entry-names.ts'
import type { EntryList, RawBacklog } from './raw-backlog.ts'
import { milestoneOf, milestoneSchema, taskOf, taskSchema } from './task-schema.ts'
import { isMap } from './top-level.ts'

/** A file's sound entries, and what is wrong with the others; words and lines are found when asked for. */
export interface Checked {
  readonly backlog: Backlog
  readonly faults: readonly (() => PlacedFault)[]
}

/** Checks every entry by itself, and then what waits for what. */
export function checkEntries(raw: RawBacklog, known: KnownIds): Checked {
  const milestones = checkList(raw, 'milestones', milestoneSchema, milestoneOf)
  const tasks = checkList(raw, 'tasks', taskSchema, taskOf)
  const backlog = { milestones: milestones.sound, tasks: tasks.sound }
  // An entry with a fault of its own is still there for others to come after.
  const elsewhere = {
    milestones: new Set([...known.milestones, ...milestones.brokenIds]),
    tasks: new Set([...known.tasks, ...tasks.brokenIds]),
  }
  const ids = {
    milestones: new Set([...known.milestones, ...idsOf(milestones)]),
    tasks: new Set([...known.tasks, ...idsOf(tasks)]),
  }
  const indexes = { milestones: milestones.indexes, tasks: tasks.indexes }
  const graphFaults = checkBacklog(backlog, elsewhere).map((fault) => () => backlogFault(raw, fault, indexes, ids))
  return { backlog, faults: [...milestones.faults, ...tasks.faults, ...graphFaults] }
}

interface CheckedList<Entry> {
  readonly sound: Entry[]
  /** Where in the file's list the sound ones are. */
  readonly indexes: number[]
  readonly brokenIds: string[]
  readonly faults: (() => PlacedFault)[]
}

/** What is used of a zod schema. */
interface Schema<Given> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Given }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } }
}

function checkList<Given, Entry>(
  raw: RawBacklog,
  list: EntryList,
  schema: Schema<Given>,
  entryOf: (given: Given) => Entry,
): CheckedList<Entry> {
  const checked: CheckedList<Entry> = { sound: [], indexes: [], brokenIds: [], faults: [] }
  for (const [index, value] of raw[list].entries()) {
    const result = schema.safeParse(value)
    if (result.success) {
      checked.sound.push(entryOf(result.data))
      checked.indexes.push(index)
      continue
    }
    if (isMap(value)) checked.brokenIds.push(String(value.id))
    checked.faults.push(...entryFaults(raw, list, index, result.error.issues))
  }
  return checked
}

function entryFaults(
  raw: RawBacklog,
  list: EntryList,
  index: number,
  issues: readonly SchemaIssue[],
): (() => PlacedFault)[] {
  const entry = raw[list][index]
  return schemaFaults(issues, entry, entryNames(list, index, entry)).map(({ path, at, message, hint }) => {
    return () => ({ code: 'task-file-invalid', line: raw.lineOf(list, index, path, at), message, hint })
  })
}

function backlogFault(
  raw: RawBacklog,
  fault: BacklogFault,
  indexes: Record<EntryList, readonly number[]>,
  ids: KnownIds,
): PlacedFault {
  const { list, index, path } = fault.at
  const lineOf = (entry: number, way: typeof path) => raw.lineOf(list, indexes[list][entry] ?? 0, way, 'value')
  const { message, hint } = backlogFaultText(fault, ids)
  const first = fault.kind === 'duplicate' ? `The first is on line ${lineOf(fault.first, ['id'])}. ` : ''
  return { code: `task-${fault.kind}`, line: lineOf(index, path), message, hint: `${first}${hint}` }
}

function idsOf({ sound, brokenIds }: CheckedList<{ readonly id: string }>): ReadonlySet<string> {
  return new Set([...sound.map(({ id }) => id), ...brokenIds])
}

import type { Backlog } from '../../../core/model/task.ts'
import type { PlacedFault } from '../../../core/reading/file-problems.ts'
import { type SchemaIssue, schemaFaults } from '../../../core/reading/schema-faults.ts'
import { backlogFaultText } from '../../../core/schedule/backlog-fault-text.ts'
import { type BacklogFault, checkBacklog, type KnownIds } from '../../../core/schedule/check-backlog.ts'
import { entryNames } from './entry-names.ts'
import type { EntryList, RawBacklog } from './raw-backlog.ts'
import { milestoneOf, milestoneSchema, taskOf, taskSchema } from './task-schema.ts'
import { isMap } from './top-level.ts'

/** Entries of a file, and the faults of the others; texts and lines are computed on demand. */
export interface CheckedEntries {
  readonly backlog: Backlog
  readonly faults: readonly (() => PlacedFault)[]
}

/** Checks each entry, and then the dependencies between them. */
export function checkEntries(raw: RawBacklog, known: KnownIds): CheckedEntries {
  const milestones = checkList(raw, 'milestones', milestoneSchema, milestoneOf)
  const tasks = checkList(raw, 'tasks', taskSchema, taskOf)
  const backlog = { milestones: milestones.valid, tasks: tasks.valid }
  // Others may depend on an entry that has a fault.
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
  /** Valid entries, and what can be used of the others. */
  readonly valid: Entry[]
  /** Positions of these entries in the file's list. */
  readonly indexes: number[]
  readonly brokenIds: string[]
  readonly faults: (() => PlacedFault)[]
}

/** Part of a zod schema that is used here. */
interface Schema<Value> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } }
}

function checkList<Value, Entry>(
  raw: RawBacklog,
  list: EntryList,
  schema: Schema<Value>,
  entryOf: (value: Value) => Entry,
): CheckedList<Entry> {
  const checked: CheckedList<Entry> = { valid: [], indexes: [], brokenIds: [], faults: [] }
  for (const [index, value] of raw[list].entries()) {
    const result = schema.safeParse(value)
    if (result.success) {
      checked.valid.push(entryOf(result.data))
      checked.indexes.push(index)
      continue
    }
    checked.faults.push(...entryFaults(raw, list, index, result.error.issues))
    const rest = schema.safeParse(withoutFaults(value))
    if (rest.success) {
      checked.valid.push(entryOf(rest.data))
      checked.indexes.push(index)
    } else if (isMap(value)) checked.brokenIds.push(String(value.id))
  }
  return checked
}

/** Keeps the id and the references of an entry, as far as they can be read, so that these are checked all the same. */
function withoutFaults(value: unknown): unknown {
  if (!isMap(value)) return null
  const { id, after, milestone } = value
  return {
    id,
    title: 'x',
    ...(Array.isArray(after) && after.every(isId) ? { after } : {}),
    ...(isId(milestone) ? { milestone } : {}),
  }
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
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
  const lineOf = (entry: number, inEntry: typeof path) => raw.lineOf(list, indexes[list][entry] ?? 0, inEntry, 'value')
  const { message, hint } = backlogFaultText(fault, ids)
  const first = fault.kind === 'duplicate' ? `The first is on line ${lineOf(fault.first, ['id'])}. ` : ''
  return { code: `task-${fault.kind}`, line: lineOf(index, path), message, hint: `${first}${hint}` }
}

function idsOf({ valid, brokenIds }: CheckedList<{ readonly id: string }>): ReadonlySet<string> {
  return new Set([...valid.map(({ id }) => id), ...brokenIds])
}

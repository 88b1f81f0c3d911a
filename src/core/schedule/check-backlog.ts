import { ID_PATTERN } from '../model/ids.ts'
import type { Backlog } from '../model/task.ts'
import { backlogCycles } from './backlog-cycles.ts'

/** Place of a fault in a backlog. */
export interface BacklogPlace {
  readonly list: 'tasks' | 'milestones'
  readonly index: number
  readonly path: readonly (string | number)[]
}

/** Fault that makes a backlog impossible to work through. */
export type BacklogFault = { readonly at: BacklogPlace; readonly id: string } & (
  | { readonly kind: 'invalid-id' }
  /** `first` is the index of the first entry with the id. */
  | { readonly kind: 'duplicate'; readonly first: number }
  | { readonly kind: 'same-letters'; readonly other: string }
  | { readonly kind: 'unknown'; readonly expected: 'task' | 'milestone'; readonly reference: string }
  | { readonly kind: 'itself' }
  /** Cycle with its first step repeated at the end; a milestone's step is `milestone ID`. */
  | { readonly kind: 'cycle'; readonly path: readonly string[] }
)

/** Existing ids that a backlog may refer to. */
export interface KnownIds {
  readonly tasks: ReadonlySet<string>
  readonly milestones: ReadonlySet<string>
}

/** Returns all faults in a backlog's ids and dependencies. */
export function checkBacklog(backlog: Backlog, known: KnownIds): readonly BacklogFault[] {
  const own = {
    tasks: new Set<string>(backlog.tasks.map(({ id }) => id)),
    milestones: new Set<string>(backlog.milestones.map(({ id }) => id)),
  }
  const isTask = (id: string) => own.tasks.has(id) || known.tasks.has(id)
  const isMilestone = (id: string) => own.milestones.has(id) || known.milestones.has(id)
  return [
    ...idFaults('milestones', backlog.milestones, known.milestones),
    ...backlog.milestones.flatMap(({ id, after }, index) =>
      afterFaults({ list: 'milestones', index, path: [] }, id, after ?? [], isMilestone),
    ),
    ...idFaults('tasks', backlog.tasks, known.tasks),
    ...backlog.tasks.flatMap(({ id, after, milestone }, index) => [
      ...afterFaults({ list: 'tasks', index, path: [] }, id, after, isTask),
      ...(milestone === null || isMilestone(milestone) ? [] : [unknownMilestone(index, id, milestone)]),
    ]),
    ...backlogCycles(backlog).map(cycleFault),
  ]
}

type List = BacklogPlace['list']

function idFaults(list: List, entries: readonly { readonly id: string }[], known: ReadonlySet<string>): BacklogFault[] {
  const firsts = new Map<string, number>()
  const spellings = new Map([...known].map((id) => [id.toLowerCase(), id]))
  return entries.flatMap(({ id }, index): BacklogFault[] => {
    const at = { list, index, path: ['id'] }
    const first = firsts.get(id)
    if (first !== undefined) return [{ kind: 'duplicate', at, id, first }]
    firsts.set(id, index)
    if (!isUsable(id)) return [{ kind: 'invalid-id', at, id }]
    const other = spellings.get(id.toLowerCase()) ?? id
    spellings.set(id.toLowerCase(), other)
    return other === id ? [] : [{ kind: 'same-letters', at, id, other }]
  })
}

// Ids become folder names, where "." and ".." have a meaning.
function isUsable(id: string): boolean {
  return ID_PATTERN.test(id) && id !== '.' && id !== '..'
}

function afterFaults(
  entry: BacklogPlace,
  id: string,
  after: readonly string[],
  exists: (id: string) => boolean,
): BacklogFault[] {
  const expected = entry.list === 'tasks' ? 'task' : 'milestone'
  return after.flatMap((reference, position): BacklogFault[] => {
    const at = { ...entry, path: ['after', position] }
    if (reference === id) return [{ kind: 'itself', at, id }]
    return exists(reference) ? [] : [{ kind: 'unknown', at, id, expected, reference }]
  })
}

function unknownMilestone(index: number, id: string, reference: string): BacklogFault {
  return { kind: 'unknown', at: { list: 'tasks', index, path: ['milestone'] }, id, expected: 'milestone', reference }
}

function cycleFault({ list, index, id, path }: ReturnType<typeof backlogCycles>[number]): BacklogFault {
  return { kind: 'cycle', at: { list, index, path: ['after'] }, id, path }
}

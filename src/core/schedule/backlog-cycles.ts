import type { Backlog } from '../model/task.ts'

/** Cycle of tasks and milestones that wait for each other, located at its first entry in the backlog. */
export interface BacklogCycle {
  readonly list: 'tasks' | 'milestones'
  readonly index: number
  readonly id: string
  /** Names along the cycle; the first is repeated at the end. */
  readonly path: readonly string[]
}

/** Returns disjoint cycles of a backlog, at least one for each tangle of entries. */
export function backlogCycles(backlog: Backlog): readonly BacklogCycle[] {
  const needs = needsOf(backlog)
  const stuck = stuckNodes(needs)
  return ringsAmong(needs, stuck).map((ring) => cycleOf(backlog, ring))
}

// Nodes are numbers: first all tasks, then each milestone's begin, then each milestone's end. A task needs its
// milestone's begin, a milestone's end needs its tasks, and a begin needs the ends of the milestones before it.
function needsOf({ tasks, milestones }: Backlog): readonly (readonly number[])[] {
  const taskAt = indexById(tasks)
  const milestoneAt = indexById(milestones)
  const begin = (milestone: number) => tasks.length + milestone
  const end = (milestone: number) => tasks.length + milestones.length + milestone
  const needs: number[][] = Array.from({ length: tasks.length + 2 * milestones.length }, () => [])
  for (const [index, { id, after, milestone }] of tasks.entries()) {
    const home = milestone === null ? undefined : milestoneAt.get(milestone)
    needs[index]?.push(...indexesOf(after, id, taskAt))
    if (home === undefined) continue
    needs[index]?.push(begin(home))
    needs[end(home)]?.push(index)
  }
  for (const [index, { id, after }] of milestones.entries()) {
    const before = after === null ? [index - 1].filter((it) => it >= 0) : indexesOf(after, id, milestoneAt)
    needs[begin(index)]?.push(...before.map(end))
    needs[end(index)]?.push(begin(index))
  }
  return needs
}

function indexById(entries: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  return new Map(entries.map(({ id }, index) => [id, index] as const).reverse())
}

function indexesOf(after: readonly string[], self: string, indexes: ReadonlyMap<string, number>): number[] {
  return after.filter((id) => id !== self).flatMap((id) => indexes.get(id) ?? [])
}

/** Returns the nodes that are left when every node is removed as soon as all it needs are gone. */
function stuckNodes(needs: readonly (readonly number[])[]): ReadonlySet<number> {
  const waiting = needs.map((list) => list.length)
  const neededBy: number[][] = needs.map(() => [])
  for (const [node, list] of needs.entries()) for (const needed of list) neededBy[needed]?.push(node)
  const stuck = new Set(needs.keys())
  const free = [...needs.keys()].filter((node) => waiting[node] === 0)
  for (const node of free) {
    stuck.delete(node)
    for (const dependent of neededBy[node] ?? []) {
      const left = (waiting[dependent] ?? 0) - 1
      waiting[dependent] = left
      if (left === 0) free.push(dependent)
    }
  }
  return stuck
}

/** Finds cycles by walking from need to need, since every stuck node needs another stuck one. */
function ringsAmong(needs: readonly (readonly number[])[], stuck: ReadonlySet<number>): readonly number[][] {
  const walkOf = new Map<number, number>()
  const rings: number[][] = []
  for (const start of stuck) {
    const walk: number[] = []
    let node: number | undefined = start
    while (node !== undefined && !walkOf.has(node)) {
      walkOf.set(node, start)
      walk.push(node)
      node = needs[node]?.find((needed) => stuck.has(needed))
    }
    if (node !== undefined && walkOf.get(node) === start) rings.push(walk.slice(walk.indexOf(node)))
  }
  return rings
}

function cycleOf({ tasks, milestones }: Backlog, ring: readonly number[]): BacklogCycle {
  const start = ring.reduce((least, node, at) => (node < (ring[least] ?? node) ? at : least), 0)
  const around = [...ring.slice(start), ...ring.slice(0, start), ...ring.slice(start, start + 1)]
  const entryOf = (node: number) => {
    const isTask = node < tasks.length
    const index = isTask ? node : (node - tasks.length) % milestones.length
    return { list: isTask ? 'tasks' : 'milestones', index, id: `${(isTask ? tasks : milestones)[index]?.id}` } as const
  }
  const names = around.map(entryOf).map(({ list, id }) => (list === 'tasks' ? id : `milestone ${id}`))
  // A milestone's begin and end, one after the other, are one step to a reader.
  const path = names.filter((name, step) => name !== names[step - 1])
  return { ...entryOf(around[0] ?? 0), path }
}

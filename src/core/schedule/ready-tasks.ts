import type { TaskId } from '../model/ids.ts'
import type { RunState } from '../run/state.ts'
import { chainLengths, type Graph } from './graph.ts'

/** The ready task to start next: priority first, then what the longest chain waits for, then age. */
export function nextReady(state: RunState, isExcluded: (task: TaskId) => boolean): TaskId | null {
  const chains = chainsOf(state.graph)
  let best: { readonly task: TaskId; readonly rank: Rank } | null = null
  for (const task of state.ready) {
    if (isExcluded(task)) continue
    const record = state.tasks.get(task)
    if (record === undefined) continue
    const rank: Rank = [record.task.priority, chains.get(task) ?? 1, -record.order]
    if (best === null || isHigher(rank, best.rank)) best = { task, rank }
  }
  return best?.task ?? null
}

type Rank = readonly [number, number, number]

function isHigher(a: Rank, b: Rank): boolean {
  if (a[0] !== b[0]) return a[0] > b[0]
  return a[1] === b[1] ? a[2] > b[2] : a[1] > b[1]
}

/** Chains change only when tasks are added or changed, which the graph's version tells. */
function chainsOf(graph: Graph): ReadonlyMap<string, number> {
  const known = CHAINS.get(graph)
  if (known !== undefined && known.version === graph.version) return known.lengths
  const lengths = chainLengths(graph)
  CHAINS.set(graph, { version: graph.version, lengths })
  return lengths
}

const CHAINS = new WeakMap<Graph, { readonly version: number; readonly lengths: ReadonlyMap<string, number> }>()

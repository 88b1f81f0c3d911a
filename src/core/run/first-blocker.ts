import type { TaskId } from '../model/ids.ts'
import { blockersOf } from '../schedule/graph-queries.ts'
import type { RunState } from './state.ts'

/** Task that blocks another one: its name, what happened to it, and what to do. */
export interface Blocker {
  readonly name: string
  readonly text: 'failed' | 'was reverted'
  readonly hint: string
}

/** Returns the nearest task that blocks a task. */
export function firstBlocker(state: RunState, task: TaskId): Blocker {
  const [blocker] = blockersOf(state.graph, task)
  const name = blocker ?? 'a task'
  if (blockerText(state, name) === 'failed')
    return { name, text: 'failed', hint: `Run "longhaul retry ${name}"; ${task} starts once it has landed.` }
  const hint = `Run "longhaul retry ${name}" to do it again, or "longhaul skip ${name}" to go on without it.`
  return { name, text: 'was reverted', hint }
}

/** Returns what happened to a task that blocks others. */
export function blockerText({ tasks }: RunState, blocker: string): Blocker['text'] {
  return tasks.get(blocker as TaskId)?.standing === 'reverted' ? 'was reverted' : 'failed'
}

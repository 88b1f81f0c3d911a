import type { MilestoneId, TaskId } from '../model/ids.ts'
import { endOf, type Graph, nodeOf, startOf } from './graph.ts'

/** True when everything before a task is satisfied. */
export function isFree(graph: Graph, task: TaskId): boolean {
  return nodeOf(graph, task).missing === 0
}

/** Returns the failed tasks that block a task, nearest first. */
export function blockersOf(graph: Graph, task: TaskId): readonly TaskId[] {
  const blockers: TaskId[] = []
  const seen = new Set<string>([task])
  const open: string[] = [task]
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const node = nodeOf(graph, name)
    if (node.hopeless === 0 && name !== task) continue
    for (const before of node.after) {
      if (seen.has(before)) continue
      seen.add(before)
      const ahead = nodeOf(graph, before)
      if (ahead.status === 'failed' && ahead.task !== null) blockers.push(ahead.task)
      else if (ahead.hopeless > 0) open.push(before)
    }
  }
  return blockers
}

/** True when a failed task blocks this one, directly or not. */
export function isBlocked(graph: Graph, task: TaskId): boolean {
  return nodeOf(graph, task).hopeless > 0
}

/** Returns the tasks directly after a task, or after the milestone that it ends. */
export function dependentsOf(graph: Graph, task: TaskId): readonly TaskId[] {
  return tasksBehind(graph, task)
}

/** Returns the tasks of the milestones directly after one. */
export function tasksAfterMilestone(graph: Graph, milestone: MilestoneId): readonly TaskId[] {
  return tasksBehind(graph, endOf(milestone))
}

/** Returns the tasks of a milestone. */
export function tasksIn(graph: Graph, milestone: MilestoneId): readonly TaskId[] {
  return [...nodeOf(graph, endOf(milestone)).after].flatMap((name) => nodeOf(graph, name).task ?? [])
}

/** Returns the milestones with tasks directly before a milestone. */
export function milestonesBefore(graph: Graph, milestone: MilestoneId): readonly MilestoneId[] {
  return nextMilestones(graph, startOf(milestone), 'after')
}

/** Returns the milestones with tasks directly after a milestone. */
export function milestonesAfter(graph: Graph, milestone: MilestoneId): readonly MilestoneId[] {
  return nextMilestones(graph, endOf(milestone), 'before')
}

/** Walks in one direction from a milestone's start or end, through milestones without tasks. */
function nextMilestones(graph: Graph, from: string, way: 'after' | 'before'): readonly MilestoneId[] {
  const milestones = new Set<MilestoneId>()
  const open = [...nodeOf(graph, from)[way]]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const { milestone, [way]: further } = nodeOf(graph, name)
    if (milestone === null) continue
    if (hasTasks(graph, milestone)) milestones.add(milestone)
    else open.push(...further)
  }
  return [...milestones].reverse()
}

/** True when something besides its start is before a milestone's end. */
function hasTasks(graph: Graph, milestone: MilestoneId): boolean {
  return nodeOf(graph, endOf(milestone)).after.size > 1
}

/** Returns the tasks directly after a node, through milestones' ends and starts. */
function tasksBehind(graph: Graph, name: string): readonly TaskId[] {
  const tasks = new Set<TaskId>()
  const open = [...nodeOf(graph, name).before]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = nodeOf(graph, next)
    if (node.task !== null) tasks.add(node.task)
    else open.push(...node.before)
  }
  return [...tasks].reverse()
}

/** Returns the unsatisfied tasks and milestones directly before a task. */
export function missingBefore(graph: Graph, task: TaskId): readonly string[] {
  return [...nodeOf(graph, task).after].filter((name) => nodeOf(graph, name).status !== 'satisfied')
}

/** Returns the length of the longest chain of tasks from each task; a task counts one, or its `lengthOf`. */
export function chainLengths(graph: Graph, lengthOf: (task: TaskId) => number = () => 1): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>()
  const open = new Map<string, number>()
  const leaves: string[] = []
  for (const [name, node] of graph.nodes) {
    open.set(name, node.before.size)
    if (node.before.size === 0) leaves.push(name)
  }
  for (let name = leaves.pop(); name !== undefined; name = leaves.pop()) {
    const node = nodeOf(graph, name)
    const longest = Math.max(0, ...[...node.before].map((next) => lengths.get(next) ?? 0))
    lengths.set(name, longest + (node.task === null ? 0 : lengthOf(node.task)))
    for (const before of node.after) {
      const left = (open.get(before) ?? 0) - 1
      open.set(before, left)
      if (left === 0) leaves.push(before)
    }
  }
  return lengths
}

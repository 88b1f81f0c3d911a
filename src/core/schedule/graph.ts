import type { MilestoneId, TaskId } from '../model/ids.ts'
import type { Milestone, Task } from '../model/task.ts'

/** Where one task stands for those that wait for it. */
export type NodeStatus = 'open' | 'satisfied' | 'failed'

interface Node {
  /** null: a milestone's start or end, which follows from the nodes before it. */
  readonly task: TaskId | null
  /** The milestone whose start or end it is. */
  readonly milestone: MilestoneId | null
  readonly after: Set<string>
  readonly before: Set<string>
  status: NodeStatus
  /** Nodes before it that are not satisfied. */
  missing: number
  /** Nodes before it that are failed or blocked. */
  hopeless: number
}

/** Who waits for whom; milestones stand between their tasks as a start and an end. */
export interface Graph {
  readonly nodes: Map<string, Node>
  /** Milestones in the order they were added. */
  readonly milestones: MilestoneId[]
  /** Grows with every node and edge. */
  version: number
}

export function newGraph(): Graph {
  return { nodes: new Map(), milestones: [], version: 0 }
}

/** Adds a milestone; returns the tasks whose standing may have changed. */
export function addMilestone(graph: Graph, milestone: Milestone): ReadonlySet<TaskId> {
  const previous = graph.milestones.at(-1)
  graph.milestones.push(milestone.id)
  const after = milestone.after ?? (previous === undefined ? [] : [previous])
  const of = { task: null, milestone: milestone.id }
  const touched = new Set<TaskId>()
  addNode(graph, startOf(milestone.id), of, after.map(endOf), touched)
  addNode(graph, endOf(milestone.id), of, [startOf(milestone.id)], touched)
  return touched
}

/** Adds a task; returns the tasks whose standing may have changed. */
export function addTask(graph: Graph, task: Task): ReadonlySet<TaskId> {
  const touched = new Set([task.id])
  addNode(graph, task.id, { task: task.id, milestone: null }, neededBy(task), touched)
  if (task.milestone !== null) addEdge(graph, endOf(task.milestone), task.id, touched)
  return touched
}

/** Gives a task that has not started other dependencies. */
export function changeTask(graph: Graph, before: Task, task: Task): ReadonlySet<TaskId> {
  const touched = new Set([task.id])
  if (before.milestone !== null) removeEdge(graph, endOf(before.milestone), task.id, touched)
  for (const name of neededBy(before)) removeEdge(graph, task.id, name, touched)
  for (const name of neededBy(task)) addEdge(graph, task.id, name, touched)
  if (task.milestone !== null) addEdge(graph, endOf(task.milestone), task.id, touched)
  return touched
}

/** Says how a task stands now; returns the tasks whose standing may have changed, itself included. */
export function setStatus(graph: Graph, task: TaskId, status: NodeStatus): ReadonlySet<TaskId> {
  const touched = new Set<TaskId>()
  spread(graph, { name: task, missing: 0, hopeless: 0, status }, touched)
  return touched
}

/** Whether nothing stands before a task any more. */
export function isFree(graph: Graph, task: TaskId): boolean {
  return nodeOf(graph, task).missing === 0
}

/** The failed tasks that a task can never get past, nearest first; empty: it is not blocked. */
export function blockersOf(graph: Graph, task: TaskId): readonly TaskId[] {
  const found: TaskId[] = []
  const seen = new Set<string>([task])
  const open: string[] = [task]
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const node = nodeOf(graph, name)
    if (node.hopeless === 0 && name !== task) continue
    for (const before of node.after) {
      if (seen.has(before)) continue
      seen.add(before)
      const ahead = nodeOf(graph, before)
      if (ahead.status === 'failed' && ahead.task !== null) found.push(ahead.task)
      else if (ahead.hopeless > 0) open.push(before)
    }
  }
  return found
}

/** Whether a failed task stands somewhere before this one. */
export function isBlocked(graph: Graph, task: TaskId): boolean {
  return nodeOf(graph, task).hopeless > 0
}

/** The tasks that come right after a task, or after the milestone that it ends. */
export function dependentsOf(graph: Graph, task: TaskId): readonly TaskId[] {
  return tasksBehind(graph, task)
}

/** The tasks of the milestones that come right after one. */
export function tasksAfterMilestone(graph: Graph, milestone: MilestoneId): readonly TaskId[] {
  return tasksBehind(graph, endOf(milestone))
}

/** The tasks of a milestone. */
export function tasksIn(graph: Graph, milestone: MilestoneId): readonly TaskId[] {
  return [...nodeOf(graph, endOf(milestone)).after].flatMap((name) => nodeOf(graph, name).task ?? [])
}

/** The milestones with tasks that a milestone comes right after. */
export function milestonesBefore(graph: Graph, milestone: MilestoneId): readonly MilestoneId[] {
  return nextMilestones(graph, startOf(milestone), 'after')
}

/** The milestones with tasks that come right after a milestone. */
export function milestonesAfter(graph: Graph, milestone: MilestoneId): readonly MilestoneId[] {
  return nextMilestones(graph, endOf(milestone), 'before')
}

/** Goes one way from a milestone's start or end; those without tasks are passed through. */
function nextMilestones(graph: Graph, from: string, way: 'after' | 'before'): readonly MilestoneId[] {
  const found = new Set<MilestoneId>()
  const open = [...nodeOf(graph, from)[way]]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const { milestone, [way]: further } = nodeOf(graph, name)
    if (milestone === null) continue
    if (hasTasks(graph, milestone)) found.add(milestone)
    else open.push(...further)
  }
  return [...found].reverse()
}

/** Before its end stands its start, and what else is there are tasks. */
function hasTasks(graph: Graph, milestone: MilestoneId): boolean {
  return nodeOf(graph, endOf(milestone)).after.size > 1
}

/** The tasks that come right after a node, through milestones' ends and starts. */
function tasksBehind(graph: Graph, name: string): readonly TaskId[] {
  const found = new Set<TaskId>()
  const open = [...nodeOf(graph, name).before]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = nodeOf(graph, next)
    if (node.task !== null) found.add(node.task)
    else open.push(...node.before)
  }
  return [...found].reverse()
}

/** The tasks and milestones directly before a task that are not satisfied. */
export function missingBefore(graph: Graph, task: TaskId): readonly string[] {
  return [...nodeOf(graph, task).after].filter((name) => nodeOf(graph, name).status !== 'satisfied')
}

/** The length of the longest chain of tasks that starts with each task; each task counts one, or as told. */
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

function neededBy(task: Task): readonly string[] {
  const after = task.after.length > 1 ? [...new Set(task.after)] : task.after
  return task.milestone === null ? after : [...after, startOf(task.milestone)]
}

function startOf(milestone: MilestoneId): string {
  return `start of ${milestone}`
}

function endOf(milestone: MilestoneId): string {
  return `milestone ${milestone}`
}

function addNode(
  graph: Graph,
  name: string,
  of: Pick<Node, 'task' | 'milestone'>,
  after: readonly string[],
  touched: Set<TaskId>,
): void {
  const { task, milestone } = of
  const status = task === null ? 'satisfied' : 'open'
  graph.version += 1
  // Named one by one: an object that begins with a spread takes five times as long, and is slow to read for ever.
  graph.nodes.set(name, { task, milestone, after: new Set(), before: new Set(), status, missing: 0, hopeless: 0 })
  for (const before of after) addEdge(graph, name, before, touched)
}

function addEdge(graph: Graph, name: string, before: string, touched: Set<TaskId>): void {
  const ahead = nodeOf(graph, before)
  graph.version += 1
  nodeOf(graph, name).after.add(before)
  ahead.before.add(name)
  const change = { name, missing: Number(ahead.status !== 'satisfied'), hopeless: Number(isHopeless(ahead)) }
  spread(graph, change, touched)
}

function removeEdge(graph: Graph, name: string, before: string, touched: Set<TaskId>): void {
  const ahead = nodeOf(graph, before)
  graph.version += 1
  nodeOf(graph, name).after.delete(before)
  ahead.before.delete(name)
  const change = { name, missing: -Number(ahead.status !== 'satisfied'), hopeless: -Number(isHopeless(ahead)) }
  spread(graph, change, touched)
}

/** A node's counters change by so much, and maybe its status. */
interface Change {
  readonly name: string
  readonly missing: number
  readonly hopeless: number
  readonly status?: NodeStatus
}

/** Makes a change and all that follow from it; adds the tasks they reached. */
function spread(graph: Graph, first: Change, touched: Set<TaskId>): void {
  const changes: Change[] = []
  for (let change: Change | undefined = first; change !== undefined; change = changes.pop()) {
    const node = nodeOf(graph, change.name)
    const was = { satisfied: node.status === 'satisfied', hopeless: isHopeless(node) }
    node.missing += change.missing
    node.hopeless += change.hopeless
    node.status = change.status ?? statusOf(node)
    if (node.task !== null) touched.add(node.task)
    const missing = Number(was.satisfied) - Number(node.status === 'satisfied')
    const hopeless = Number(isHopeless(node)) - Number(was.hopeless)
    if (missing === 0 && hopeless === 0) continue
    for (const next of node.before) changes.push({ name: next, missing, hopeless })
  }
}

/** A milestone's start and end follow from what is before them; a task's status is its own. */
function statusOf(node: Node): NodeStatus {
  if (node.task !== null) return node.status
  return node.missing === 0 ? 'satisfied' : 'open'
}

/** Failed, or blocked by something that is. */
function isHopeless(node: Node): boolean {
  return node.status === 'failed' || (node.status === 'open' && node.hopeless > 0)
}

function nodeOf(graph: Graph, name: string): Node {
  const node = graph.nodes.get(name)
  if (node === undefined) throw new Error(`no node ${name} in the graph`)
  return node
}

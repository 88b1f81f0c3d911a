import type { MilestoneId, TaskId } from '../model/ids.ts'
import type { Milestone, Task } from '../model/task.ts'

/** Status of a node for those that wait for it. */
export type NodeStatus = 'open' | 'satisfied' | 'failed'

interface Node {
  /** Task of the node, or null for a milestone's start or end, whose status follows from the nodes before it. */
  readonly task: TaskId | null
  /** Milestone whose start or end it is, or null for a task. */
  readonly milestone: MilestoneId | null
  readonly after: Set<string>
  readonly before: Set<string>
  status: NodeStatus
  /** Number of nodes before it that are not satisfied. */
  missing: number
  /** Number of nodes before it that are failed or blocked. */
  hopeless: number
}

/** Dependencies between tasks; each milestone adds a start and an end node. */
export interface Graph {
  readonly nodes: Map<string, Node>
  /** Milestones in the order of their addition. */
  readonly milestones: MilestoneId[]
  /** Incremented with every node and edge. */
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

/** Changes the dependencies of a task that has not started; returns the tasks whose standing may have changed. */
export function changeTask(graph: Graph, before: Task, task: Task): ReadonlySet<TaskId> {
  const touched = new Set([task.id])
  if (before.milestone !== null) removeEdge(graph, endOf(before.milestone), task.id, touched)
  for (const name of neededBy(before)) removeEdge(graph, task.id, name, touched)
  for (const name of neededBy(task)) addEdge(graph, task.id, name, touched)
  if (task.milestone !== null) addEdge(graph, endOf(task.milestone), task.id, touched)
  return touched
}

/** Sets a task's status; returns the tasks whose standing may have changed, itself included. */
export function setStatus(graph: Graph, task: TaskId, status: NodeStatus): ReadonlySet<TaskId> {
  const touched = new Set<TaskId>()
  spread(graph, { name: task, missing: 0, hopeless: 0, status }, touched)
  return touched
}

function neededBy(task: Task): readonly string[] {
  const after = task.after.length > 1 ? [...new Set(task.after)] : task.after
  return task.milestone === null ? after : [...after, startOf(task.milestone)]
}

/** Returns the node name of a milestone's start. */
export function startOf(milestone: MilestoneId): string {
  return `start of ${milestone}`
}

/** Returns the node name of a milestone's end. */
export function endOf(milestone: MilestoneId): string {
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
  // Fields are listed one by one, because an object that starts with a spread takes five times as long and stays slow to read.
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

/** Change of a node's counters, and of its status where given. */
interface Change {
  readonly name: string
  readonly missing: number
  readonly hopeless: number
  readonly status?: NodeStatus
}

/** Applies a change with all its consequences, and collects the tasks that they reach. */
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

/** Derives the status of a milestone's start or end from the nodes before it; a task keeps its status. */
function statusOf(node: Node): NodeStatus {
  if (node.task !== null) return node.status
  return node.missing === 0 ? 'satisfied' : 'open'
}

/** True when a node failed or is blocked by one that failed. */
function isHopeless(node: Node): boolean {
  return node.status === 'failed' || (node.status === 'open' && node.hopeless > 0)
}

/** Returns the node of a name. */
export function nodeOf(graph: Graph, name: string): Node {
  const node = graph.nodes.get(name)
  if (node === undefined) throw new Error(`no node ${name} in the graph`)
  return node
}

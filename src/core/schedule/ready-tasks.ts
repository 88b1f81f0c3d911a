import type { TaskId } from '../model/ids.ts'
import type { Task } from '../model/task.ts'
import type { Graph } from './graph.ts'
import { chainLengths } from './graph-queries.ts'

/** Rank of a task: priority first, then the longest chain that waits for it, then age. */
type Rank = readonly [priority: number, chain: number, age: number]

interface Ranked {
  readonly task: TaskId
  readonly rank: Rank
}

/** Looks up a task that may be ready. */
type FindTask = (task: TaskId) => { readonly task: Task; readonly order: number } | undefined

/** Tasks that could start now, in a heap so that the next one is cheap to find. */
export class ReadyTasks implements Iterable<TaskId> {
  readonly #tasks = new Set<TaskId>()
  /** Binary heap, highest rank first. Tasks that are no longer ready leave it when they reach the top. */
  #heap: Ranked[] = []
  /** Ready tasks that are not in the heap yet. */
  #fresh: TaskId[] = []
  #chains: ReadonlyMap<string, number> = new Map()
  #version = -1

  get size(): number {
    return this.#tasks.size
  }

  [Symbol.iterator](): Iterator<TaskId> {
    return this.#tasks[Symbol.iterator]()
  }

  add(task: TaskId): void {
    if (this.#tasks.has(task)) return
    this.#tasks.add(task)
    this.#fresh.push(task)
  }

  delete(task: TaskId): void {
    this.#tasks.delete(task)
  }

  /** Returns the task to start next, or null when none is ready. */
  next(graph: Graph, find: FindTask): TaskId | null {
    if (this.#version !== graph.version) this.#rankAgain(graph)
    for (const task of this.#fresh.splice(0)) this.#push(task, find)
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#tasks.has(top.task)) return top.task
      this.#pop()
    }
    return null
  }

  /** Returns all ready tasks in starting order. */
  inOrder(graph: Graph, find: FindTask): readonly TaskId[] {
    if (this.#version !== graph.version) this.#rankAgain(graph)
    const ranked = [...this.#tasks].flatMap((task) => this.#ranked(task, find) ?? [])
    return ranked.sort((a, b) => (isHigher(a, b) ? -1 : 1)).map(({ task }) => task)
  }

  /** The set of ready tasks is the state; the order is derived from it. */
  toJSON(): readonly TaskId[] {
    return [...this.#tasks].sort()
  }

  /** Ranks all tasks again, because added or changed tasks alter the chains. */
  #rankAgain(graph: Graph): void {
    this.#version = graph.version
    this.#chains = chainLengths(graph)
    this.#heap = []
    this.#fresh = [...this.#tasks]
  }

  #ranked(task: TaskId, find: FindTask): Ranked | null {
    const record = find(task)
    if (record === undefined || !this.#tasks.has(task)) return null
    return { task, rank: [record.task.priority, this.#chains.get(task) ?? 1, -record.order] }
  }

  #push(task: TaskId, find: FindTask): void {
    const ranked = this.#ranked(task, find)
    if (ranked === null) return
    const heap = this.#heap
    let at = heap.push(ranked) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isHigher(heap[at], heap[parent])) return
      swap(heap, at, parent)
      at = parent
    }
  }

  #pop(): void {
    const heap = this.#heap
    swap(heap, 0, heap.length - 1)
    heap.pop()
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const child = isHigher(heap[right], heap[left]) ? right : left
      if (!isHigher(heap[child], heap[at])) return
      swap(heap, at, child)
      at = child
    }
  }
}

function isHigher(a: Ranked | undefined, b: Ranked | undefined): boolean {
  if (a === undefined) return false
  if (b === undefined) return true
  for (const index of [0, 1, 2] as const) {
    if (a.rank[index] !== b.rank[index]) return a.rank[index] > b.rank[index]
  }
  return false
}

function swap(heap: Ranked[], a: number, b: number): void {
  const [first, second] = [heap[a], heap[b]]
  if (first === undefined || second === undefined) return
  heap[a] = second
  heap[b] = first
}

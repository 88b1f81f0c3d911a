import type { Problem } from '../core/model/problem.ts'
import type { Backlog } from '../core/model/task.ts'
import type { KnownIds } from '../core/schedule/check-backlog.ts'

/** Reads tasks from one kind of place. */
export interface TaskSource {
  readonly name: string
  /** Reads what a file holds; the name decides the form, and errors name the place in it. `known`: what is there besides. */
  read(name: string, text: string, known: KnownIds): Backlog | readonly Problem[]
}

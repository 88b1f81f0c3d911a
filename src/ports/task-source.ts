import type { Problem } from '../core/model/problem.ts'
import type { Backlog } from '../core/model/task.ts'
import type { KnownIds } from '../core/schedule/check-backlog.ts'

/** Reads tasks from one kind of source. */
export interface TaskSource {
  readonly name: string
  /** Reads a file whose name decides the format; problems name the line. `known`: tasks and milestones outside the file. */
  read(name: string, text: string, known: KnownIds): Backlog | readonly Problem[]
}

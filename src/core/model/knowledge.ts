import type { TaskId } from './ids.ts'

/** Lesson of an agent for later tasks: a decision or a pitfall. */
export interface Knowledge {
  readonly text: string
  /** Globs of the files it is about; empty for the whole repository. */
  readonly files: readonly string[]
}

/** Lesson with the task that it comes from. */
export interface KnowledgeEntry extends Knowledge {
  readonly task: TaskId
}

import type { TaskId } from './ids.ts'

/** Something an agent learned that later tasks should know: a decision, or what to look out for. */
export interface Knowledge {
  readonly text: string
  /** Globs of the files where it matters; none: anywhere. */
  readonly files: readonly string[]
}

/** What has been learned in a repository, and in which task. */
export interface KnowledgeEntry extends Knowledge {
  readonly task: TaskId
}

import type { AttemptId, TaskId } from './ids.ts'

/** A task that an agent would like to be added; nothing of it is worked on or run before a person says so. */
export interface Proposal {
  readonly id: TaskId
  readonly title: string
  readonly brief: string
  readonly after: readonly TaskId[]
  readonly acceptance: readonly string[]
  readonly verify: readonly string[]
}

/** A proposal that a person has not decided on yet, and which task's agent made it. */
export interface ProposalRecord {
  readonly proposal: Proposal
  readonly task: TaskId
  readonly attempt: AttemptId
  readonly at: number
}

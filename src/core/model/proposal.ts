import type { AttemptId, TaskId } from './ids.ts'

/** Task that an agent proposes; nothing of it runs before a person accepts it. */
export interface Proposal {
  readonly id: TaskId
  readonly title: string
  readonly brief: string
  readonly after: readonly TaskId[]
  readonly acceptance: readonly string[]
  readonly verify: readonly string[]
}

/** Proposal that waits for a person's decision, with its origin. */
export interface ProposalRecord {
  readonly proposal: Proposal
  readonly task: TaskId
  readonly attempt: AttemptId
  readonly at: number
}

import type { MilestoneId, TaskId } from './ids.ts'

export const WEIGHTS = ['trivial', 'small', 'medium', 'large', 'greenfield'] as const
export type Weight = (typeof WEIGHTS)[number]

/** Unit of work in a backlog. */
export interface Task {
  readonly id: TaskId
  readonly title: string
  readonly brief: string
  readonly after: readonly TaskId[]
  readonly weight: Weight
  readonly type: string | null
  readonly milestone: MilestoneId | null
  /** Higher starts first. */
  readonly priority: number
  readonly acceptance: readonly string[]
  /** Commands that must pass for this task, in addition to the gates. */
  readonly verify: readonly string[]
  /** Files the task expects to touch. */
  readonly files: readonly string[]
  /** Globs of guarded files (settings, tests, definitions of checks) that its work may change without approval. */
  readonly mayChange: readonly string[]
}

/** Named group of tasks. */
export interface Milestone {
  readonly id: MilestoneId
  readonly title: string
  readonly brief: string
  /** Milestones to wait for; null for the previous one, [] for none. */
  readonly after: readonly MilestoneId[] | null
}

/** Content of a task file. */
export interface Backlog {
  readonly milestones: readonly Milestone[]
  readonly tasks: readonly Task[]
}

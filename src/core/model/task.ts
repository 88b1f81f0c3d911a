import type { MilestoneId, TaskId } from './ids.ts'

export const WEIGHTS = ['trivial', 'small', 'medium', 'large', 'greenfield'] as const
export type Weight = (typeof WEIGHTS)[number]

/** One piece of wanted work. */
export interface Task {
  readonly id: TaskId
  readonly title: string
  readonly brief: string
  readonly after: readonly TaskId[]
  readonly weight: Weight
  readonly type: string | null
  readonly milestone: MilestoneId | null
  /** Higher goes first. */
  readonly priority: number
  readonly acceptance: readonly string[]
  /** Commands that must pass for this task, besides the gates. */
  readonly verify: readonly string[]
  /** Files the task expects to touch. */
  readonly files: readonly string[]
}

/** A named group of tasks. */
export interface Milestone {
  readonly id: MilestoneId
  readonly title: string
  readonly brief: string
  /** null: after the milestone before it; []: at once. */
  readonly after: readonly MilestoneId[] | null
}

/** What a task file holds. */
export interface Backlog {
  readonly milestones: readonly Milestone[]
  readonly tasks: readonly Task[]
}

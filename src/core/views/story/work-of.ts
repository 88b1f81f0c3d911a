import type { AttemptId, Commit } from '../../model/ids.ts'
import type { TaskStory } from './task-story.ts'

/** Location of a task's work, and the commit to compare it with. */
export type TaskWork =
  /** Compared with its first parent. */
  | { readonly kind: 'landed'; readonly attempt: AttemptId; readonly commit: Commit }
  | {
      readonly kind: 'unlanded'
      readonly attempt: AttemptId
      readonly base: Commit
      /** Refs that may have more than the last commit, best first. */
      readonly salvage: readonly string[]
      readonly commit: Commit
    }

/** Returns the latest work on a task, or null when there is none. */
export function workOf({ attempts, landed }: TaskStory): TaskWork | null {
  const latest = attempts.findLast(({ id, commits, salvage }) => {
    return id === landed?.attempt || commits.length > 0 || salvage.length > 0
  })
  if (latest === undefined) return null
  const { id: attempt, base, commits, salvage } = latest
  if (landed !== null && attempt === landed.attempt) return { kind: 'landed', attempt, commit: landed.commit }
  // A ref with "++" in it holds a part of the workspace only.
  const whole = salvage.filter((ref) => !ref.includes('++'))
  return { kind: 'unlanded', attempt, base, salvage: whole, commit: commits.at(-1)?.commit ?? base }
}

import type { Commit, TaskId } from '../model/ids.ts'
import type { LineChange } from '../model/landed-work.ts'

/** Why a landed commit cannot be reverted: other work changed the same lines after it. */
export interface RevertConflict {
  /** Files with conflicts. */
  readonly files: readonly string[]
  /** Landed tasks that changed them later, newest first; empty when only the user did. */
  readonly changedBy: readonly TaskId[]
  /** Git options that a revert of the commit needs: a merge names the parent to go back to. */
  readonly options: '' | '-m 1 '
}

/** Explains a conflict of a revert, and what to do. */
export function revertConflictText({ files, changedBy, options }: RevertConflict, commit: Commit): string {
  const byHand = `git revert ${options}${commit.slice(0, 10)}`
  const [first, ...more] = changedBy
  const changed = `changed ${files.join(', ')} after it`
  if (first === undefined) return `other commits ${changed}. Do it by hand: ${byHand}`
  const before = more.length === 0 ? first : `${changedBy.join(', ')} (in this order)`
  return `${changedBy.join(', ')} ${changed}. Revert ${before} first, or do it by hand: ${byHand}`
}

/** Names the tasks that changed one of these files after a landing and were not reverted since, newest first. */
export function tasksInTheWay(
  changes: readonly LineChange[],
  task: TaskId,
  files: readonly string[],
): readonly TaskId[] {
  const reverted = new Set(changes.flatMap(({ reverts }) => reverts ?? []))
  const tasksReverted = new Set(changes.flatMap((change) => (reverted.has(change.commit) ? (change.task ?? []) : [])))
  const later = changes.flatMap((change) => {
    const isOther = change.task !== null && change.task !== task && !tasksReverted.has(change.task)
    return isOther && change.files.some((file) => files.includes(file)) ? [change.task] : []
  })
  return [...new Set(later)] as readonly TaskId[]
}

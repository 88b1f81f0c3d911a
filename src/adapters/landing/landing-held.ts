import type { Commit } from '../../core/model/ids.ts'
import { refs } from '../../git/names.ts'
import type { LandingHeld } from '../../ports/landing.ts'

/** The target lost commits that it had. */
export function historyRewritten(target: string, seen: Commit): LandingHeld {
  return {
    kind: 'held',
    reason: `The history of ${target} was rewritten: it no longer contains ${short(seen)}`,
    hint: `To continue from ${target} as it is now, without the dropped commits: ${resetLine(target)}; to restore them: git merge ${short(seen)}`,
  }
}

/** The line does not contain the commit where Longhaul left it. */
export function lineMoved(target: string, expected: Commit, actual: Commit): LandingHeld {
  return {
    kind: 'held',
    reason: `Another process moved the landing line of ${target} from ${short(expected)} to ${short(actual)}`,
    hint: `To move it back: git update-ref ${refs.line(target)} ${expected}`,
  }
}

/** New commits on the target and landed work change the same lines. */
export function targetConflicts(target: string, files: readonly string[]): LandingHeld {
  return {
    kind: 'held',
    reason: `New commits on ${target} conflict with what has landed, in ${files.join(', ')}`,
    hint: `Merge them on ${target}: git merge ${refs.line(target)}`,
  }
}

/** The target branch was deleted. */
export function targetGone(target: string): LandingHeld {
  return {
    kind: 'held',
    reason: `The branch ${target} does not exist any more`,
    hint: `Restore it: git branch ${target} COMMIT`,
  }
}

function resetLine(target: string): string {
  return `git update-ref ${refs.line(target)} ${refs.head(target)}`
}

function short(commit: Commit): string {
  return commit.slice(0, 10)
}

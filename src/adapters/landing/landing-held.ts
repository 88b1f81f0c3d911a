import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { areRelated } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import type { LandingHeld } from '../../ports/landing.ts'

/** The target lost commits that it had. */
export async function historyRewritten(
  git: Git,
  target: string,
  tip: Commit,
  seen: Commit,
): Promise<LandingHeld | Problem> {
  const isRelated = await areRelated(git, tip, seen)
  if (isProblem(isRelated)) return isRelated
  const aim = isRelated ? 'to restore them' : `to keep the files of ${target} and join both histories`
  const merge = mergeArguments(seen, isRelated ? 'related' : 'unrelated')
  return {
    kind: 'held',
    reason: `The history of ${target} was rewritten: it no longer contains ${short(seen)}`,
    hint: `To continue from ${target} as it is now, without the dropped commits: ${resetLine(target)}; ${aim}, on ${target}: git ${merge}. Then: longhaul run`,
  }
}

/** Returns the arguments of git that merge dropped commits back; an unrelated history is joined, and the branch keeps its files. */
export function mergeArguments(seen: Commit, histories: 'related' | 'unrelated'): string {
  const options = histories === 'related' ? '' : '--allow-unrelated-histories -s ours '
  return `merge ${options}${short(seen)}`
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

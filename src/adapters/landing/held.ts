import type { Commit } from '../../core/model/ids.ts'
import { refs } from '../../git/names.ts'
import type { LandingHeld } from '../../ports/landing.ts'

/** Landing stops because commits that the target had are gone from it. */
export function rewritten(target: string, seen: Commit): LandingHeld {
  return {
    kind: 'held',
    reason: `The history of ${target} was rewritten: ${short(seen)}, which it had, is gone from it`,
    hint: `To go on from ${target} as it is now, without what was dropped: ${resetLine(target)}; otherwise put it back: git merge ${short(seen)}`,
  }
}

/** Landing stops because the line's own history is not what we made it. */
export function lineMoved(target: string, expected: Commit, found: Commit): LandingHeld {
  return {
    kind: 'held',
    reason: `The landing line of ${target} was moved by something else, from ${short(expected)} to ${short(found)}`,
    hint: `To put it back: git update-ref ${refs.line(target)} ${expected}`,
  }
}

/** Landing stops because the target's new commits and what has landed change the same lines. */
export function contradicted(target: string, files: readonly string[]): LandingHeld {
  return {
    kind: 'held',
    reason: `New commits on ${target} conflict with what has landed, in ${files.join(', ')}`,
    hint: `Bring them together on ${target}: git merge ${refs.line(target)}`,
  }
}

/** Landing stops because the target is gone. */
export function targetGone(target: string): LandingHeld {
  return { kind: 'held', reason: `The branch ${target} is gone`, hint: `Put it back: git branch ${target} COMMIT` }
}

function resetLine(target: string): string {
  return `git update-ref ${refs.line(target)} ${refs.head(target)}`
}

function short(commit: Commit): string {
  return commit.slice(0, 10)
}

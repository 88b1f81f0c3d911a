import { branchOf, refs } from '../../git/names.ts'
import { changeRefs } from '../../git/refs.ts'
import type { GitRepository } from '../../git/repository.ts'
import { makeVariant } from '../../git/variant.ts'
import type { Landing } from '../../ports/landing.ts'
import { advanceLine } from './advance-line.ts'
import { attemptNumbers } from './attempt-numbers.ts'
import { filesOf, readFiles } from './commit-files.ts'
import { baseOf, compare, patchOf } from './compare.ts'
import { followTarget } from './follow-target.ts'
import { changesSince } from './line-history.ts'
import { openLine } from './open-line.ts'
import { prepareCandidate } from './prepare-candidate.ts'

/** Landing in a git repository: merges without a checkout, refs moved by compare-and-swap. Never pushes. */
export function gitLanding({ repository }: { readonly repository: GitRepository }): Landing {
  const { git } = repository
  return {
    openLine: (target) => openLine(git, target),
    prepare: (landing, subject, order) => prepareCandidate(repository, landing, subject, order),
    advance: (landing, target, from, to) => advanceLine(git, landing, target, from, to),
    followTarget: (target, commit, lastSeen) => followTarget(repository, target, commit, lastSeen),
    baseOf: (target, commit) => baseOf(git, target, commit),
    changesSince: (target, commit) => changesSince(git, target, commit),
    compare: (from, to) => compare(git, from, to),
    filesOf: (commit) => filesOf(git, commit),
    readFiles: (commit, paths) => readFiles(git, commit, paths),
    variant: (commit, files) => makeVariant(repository, commit, files),
    patch: (target, commit) => patchOf(git, target, commit),
    async unpin(landing) {
      // A leftover pin does no harm: it is removed when the target has followed or a line is opened.
      await changeRefs(git, [{ ref: refs.candidate(landing), to: null }])
    },
    attemptNumbers: () => attemptNumbers(git),
    branchOf,
  }
}

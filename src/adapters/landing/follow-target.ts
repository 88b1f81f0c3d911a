import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { areRelated, isAncestor, relationOf } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type Ref, type RefChange, readRefs } from '../../git/refs.ts'
import type { GitRepository } from '../../git/repository.ts'
import { listWorktrees, worktreeAt } from '../../git/worktrees.ts'
import type { Followed, TargetHeld } from '../../ports/landing.ts'
import { refsMoving } from './advance-line.ts'
import { forwardCheckout, inFolder } from './forward-checkout.ts'
import { mergeArguments } from './landing-held.ts'

/** Moves the target to the line's commit, unless that would disturb the user's work. */
export async function followTarget(
  repository: GitRepository,
  target: string,
  commit: Commit,
  lastSeen: Commit,
): Promise<Followed | TargetHeld | Problem> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const followed = await tryToFollow(repository, target, commit, lastSeen)
    if (followed !== 'outdated') return followed
  }
  return refsMoving(target)
}

const TRIES_MAX = 3
const CANDIDATES = 'refs/longhaul/candidate/'

async function tryToFollow(
  repository: GitRepository,
  target: string,
  commit: Commit,
  lastSeen: Commit,
): Promise<Followed | TargetHeld | 'outdated' | Problem> {
  const { git } = repository
  const [head, seen] = [refs.head(target), refs.seen(target)]
  const current = await readRefs(git, [head, seen, CANDIDATES])
  if (isProblem(current)) return current
  const tip = current.get(head)
  if (tip === undefined) return held(`the branch ${target} does not exist any more`)
  // A tip that an earlier follow recorded contains everything from before.
  const known = current.get(seen)?.commit === tip.commit ? tip.commit : lastSeen
  const standing = await standingOf(git, tip.commit, commit, known)
  if (isProblem(standing)) return standing
  if (standing === 'diverged')
    return { ...held(`${target} has new commits that have to be merged first`), diverged: true }
  if (standing === 'rewritten') return rewritten(git, target, tip, lastSeen)
  const moved = standing === 'up-to-date' ? [] : await moveTarget(repository, target, tip, commit)
  if ('kind' in moved) return (await hasMoved(git, tip)) ? 'outdated' : moved
  const pins = [...current.keys()].filter((name) => name.startsWith(CANDIDATES))
  const landed = pins.length === 0 ? [] : await landedPins(git, commit)
  if (isProblem(landed)) return landed
  const changed = await changeRefs(git, [...moved, { ref: seen, to: commit }, ...landed])
  return changed === 'changed' ? { kind: 'followed', commit } : changed
}

async function rewritten(git: Git, target: string, tip: Ref, lastSeen: Commit): Promise<TargetHeld | Problem> {
  const isRelated = await areRelated(git, tip.commit, lastSeen)
  if (isProblem(isRelated)) return isRelated
  const reason = `the history of ${target} was rewritten: it no longer contains ${lastSeen.slice(0, 10)}`
  const merge = mergeArguments(lastSeen, isRelated ? 'related' : 'unrelated')
  const command = tip.checkedOutIn === null ? `git switch ${target} && git ${merge}` : inFolder(tip.checkedOutIn, merge)
  return { ...held(reason), command }
}

// The user may commit between our check and git's: then git refused for an outdated reason.
async function hasMoved(git: Git, { name, commit }: Ref): Promise<boolean> {
  const current = await readRefs(git, [name])
  return !isProblem(current) && current.get(name)?.commit !== commit
}

type Standing = 'up-to-date' | 'behind' | 'diverged' | 'rewritten'

async function standingOf(git: Git, tip: Commit, commit: Commit, lastSeen: Commit): Promise<Standing | Problem> {
  const relation = await relationOf(git, tip, commit)
  if (isProblem(relation)) return relation
  if (relation === 'same' || relation === 'ahead') return 'up-to-date'
  const hasLastSeen = await isAncestor(git, lastSeen, tip)
  if (isProblem(hasLastSeen)) return hasLastSeen
  return hasLastSeen ? relation : 'rewritten'
}

/** Moves the target in its checkout; without one, returns the ref change that is still to be made. */
async function moveTarget(
  repository: GitRepository,
  target: string,
  { name, commit: from, checkedOutIn }: Ref,
  to: Commit,
): Promise<readonly RefChange[] | TargetHeld | Problem> {
  const holder = checkedOutIn === null ? null : worktreeAt(checkedOutIn, target)
  const worktrees = holder === null ? await listWorktrees(repository) : [holder]
  if (isProblem(worktrees)) return worktrees
  const checkout = worktrees.find(({ branch }) => branch === target)
  if (checkout === undefined) return [{ ref: name, to, from }]
  return (await forwardCheckout(repository.git, checkout, target, to)) ?? []
}

async function landedPins(git: Git, commit: Commit): Promise<readonly RefChange[] | Problem> {
  const output = await git.run(['for-each-ref', '--format=%(refname)', `--merged=${commit}`, CANDIDATES])
  if (isProblem(output)) return output
  return output.split('\n').flatMap((ref) => (ref === '' ? [] : [{ ref, to: null }]))
}

function held(reason: string): TargetHeld {
  return { kind: 'target-held', reason, command: null, diverged: false }
}

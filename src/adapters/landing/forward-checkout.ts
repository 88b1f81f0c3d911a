import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { type Git, splitNul } from '../../git/git.ts'
import { gitProblem } from '../../git/git-problem.ts'
import { refs } from '../../git/names.ts'
import type { Worktree } from '../../git/worktrees.ts'
import type { TargetHeld } from '../../ports/landing.ts'

/** Fast-forwards a checkout of the user, unless that would touch their own changes; returns null on success. */
export async function forwardCheckout(
  git: Git,
  checkout: Worktree,
  target: string,
  commit: Commit,
): Promise<TargetHeld | Problem | null> {
  const { folder } = checkout
  const here = git.at({ folder })
  const obstacle = await obstacleIn(here, checkout, commit)
  if (isProblem(obstacle)) return obstacle
  const merged =
    obstacle === null ? await here.ask(MERGE.concat(commit), { env: { GIT_REFLOG_ACTION: 'longhaul' } }) : null
  if (isProblem(merged)) return merged
  if (merged?.exitCode === 0) return null
  const failure = merged === null ? null : gitProblem(MERGE, folder, merged.stderr)
  if (failure !== null && failure.code !== 'git-failed' && failure.code !== 'git-locked') return failure
  const reason = `${target} is checked out in ${folder}, ${obstacle ?? `and git refuses: ${failure?.message}`}`
  const command = await commandToForward(here, checkout, target, commit)
  return isProblem(command) ? command : { kind: 'target-held', reason, command, diverged: false }
}

/** Returns the command that moves the target there; null when the unfinished operation will move it itself. */
async function commandToForward(
  here: Git,
  { folder, busyWith }: Worktree,
  target: string,
  commit: Commit,
): Promise<string | Problem | null> {
  const forward = inFolder(folder, `merge --ff-only ${commit}`)
  if (busyWith !== 'a bisect' && busyWith !== 'a rebase') return forward
  const head = await here.ask(['symbolic-ref', '--quiet', 'HEAD'])
  if (isProblem(head)) return head
  const isDetached = head.exitCode !== 0
  if (!isDetached) return forward
  // HEAD is detached, so a merge would move HEAD and leave the branch behind.
  return busyWith === 'a rebase' ? null : inFolder(folder, `update-ref ${refs.head(target)} ${commit}`)
}

const MERGE = ['merge', '--ff-only', '--quiet', '--no-stat', '--no-autostash', '--no-verify-signatures']
// By default git overwrites ignored files.
MERGE.push('--no-overwrite-ignore')

async function obstacleIn(git: Git, { folder, busyWith }: Worktree, commit: Commit): Promise<string | Problem | null> {
  if (busyWith !== null) return `in the middle of ${busyWith}`
  const changed = await git.run(['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all'])
  if (isProblem(changed)) return changed
  if (changed !== '') return `with uncommitted changes (${named(splitNul(changed).map((entry) => entry.slice(3)))})`
  const added = await git.run([
    'diff-tree',
    '-r',
    '-z',
    '--name-only',
    '--no-renames',
    '--diff-filter=A',
    'HEAD',
    commit,
  ])
  if (isProblem(added)) return added
  const inTheWay = splitNul(added).filter((path) => isTaken(join(folder, path)))
  return inTheWay.length === 0 ? null : `with untracked files in the way (${named(inTheWay)})`
}

function isTaken(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true // a file is in the place of a parent folder
  }
}

/** Returns a git command that runs in a folder. */
export function inFolder(folder: string, command: string): string {
  return `git -C '${folder.replaceAll("'", "'\\''")}' ${command}`
}

const NAMED_MAX = 5

function named(files: readonly string[]): string {
  const more = files.length - NAMED_MAX
  return more > 0 ? `${files.slice(0, NAMED_MAX).join(', ')} and ${more} more` : files.join(', ')
}

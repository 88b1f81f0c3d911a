import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { AttemptId, Commit } from '../../src/core/model/ids.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import type { Checkpoint, Released } from '../../src/ports/workspaces.ts'
import { attemptSpec, type SpecWishes } from './attempt-specs.ts'
import { useContainment } from './containments.ts'
import type { TestRepository } from './git-repositories.ts'
import { targetTip } from './git-world.ts'
import { type RealGitWorld, realGitWorld } from './real-git-world.ts'

/** An attempt to try things on. */
export const ONE = 'one-a1' as AttemptId
/** A signal that never comes. */
export const NEVER = new AbortController().signal

/** What keeps the tests' processes together. */
export const containment = await useContainment()

/** Gives every test of a file a real repository of its own. */
export function useGitWorld(prepare: (repo: TestRepository) => void = () => {}): () => RealGitWorld {
  let made: RealGitWorld
  beforeEach(async () => {
    made = await realGitWorld(containment, { prepare })
  })
  afterEach(() => made.leave())
  return () => made
}

/** Makes an attempt's workspace at the target's commit. */
export async function begin(world: RealGitWorld, wishes: SpecWishes = {}, attempt = ONE): Promise<Commit> {
  const base = await targetTip(world)
  const made = await world.workspaces.ensure(attemptSpec(attempt, base, wishes), base, NEVER)
  if (typeof made !== 'string') throw new Error(JSON.stringify(made))
  return made
}

/** Runs the agent's own git in a workspace. */
export function agentGit(world: RealGitWorld, args: readonly string[], attempt = ONE): string {
  return world.repo.git(args, world.workspaces.folder(attempt))
}

/** Makes a checkpoint that has to succeed. */
export async function save(
  world: RealGitWorld,
  base: Commit,
  last = base,
  wishes: SpecWishes = {},
  attempt = ONE,
): Promise<Checkpoint> {
  return good(await world.workspaces.checkpoint(attemptSpec(attempt, base, wishes), last, 'work'))
}

/** Releases a workspace, which has to succeed. */
export async function release(
  world: RealGitWorld,
  base: Commit,
  commit: Commit,
  how: 'landed' | 'keep',
): Promise<Released> {
  return good(await world.workspaces.release(attemptSpec(ONE, base), commit, how))
}

/** Makes a commit of some files on top of another, on no branch, with no workspace. */
export function commitOn(
  repo: TestRepository,
  base: Commit,
  files: Readonly<Record<string, string>>,
  message = 'work\n',
): Commit {
  const index = join(repo.root, 'index of a test')
  const git = (args: readonly string[], input = ''): string => {
    return execFileSync('git', args, { cwd: repo.checkout, env: { ...repo.env, GIT_INDEX_FILE: index }, input })
      .toString()
      .trim()
  }
  git(['read-tree', base])
  for (const [path, text] of Object.entries(files)) {
    git(['update-index', '--add', '--cacheinfo', `100644,${git(['hash-object', '-w', '--stdin'], text)},${path}`])
  }
  return git(['commit-tree', '-p', base, '-F', '-', git(['write-tree'])], message) as Commit
}

/** Puts the line at a commit, as if it had landed. */
export async function putOnLine(world: RealGitWorld, commit: Commit): Promise<void> {
  world.repo.git(['update-ref', 'refs/longhaul/landed/main', commit])
}

/** The value, unless it is a problem. */
export function good<T>(value: T): Exclude<T, { readonly kind: 'problem' }> {
  if (isProblem(value)) throw new Error(`${value.code}: ${value.message}`)
  return value as Exclude<T, { readonly kind: 'problem' }>
}

/** Everything of a repository that is its user's: files, index, settings, hooks, HEAD, stash and refs that are not ours. */
export function usersState(repo: TestRepository): Readonly<Record<string, string>> {
  const refs = repo.git(['for-each-ref', '--format=%(refname) %(objectname)']).split('\n')
  const usersRefs = refs.filter((ref) => !/^refs\/(heads\/)?longhaul\//.test(ref)).join('\n')
  const state: Record<string, string> = { refs: usersRefs, stash: repo.git(['stash', 'list']) }
  for (const path of filesBelow(repo.checkout, '')) {
    if (!/^\.git\/(objects|refs|logs\/refs\/heads\/longhaul|packed-refs|COMMIT_EDITMSG)/.test(path))
      state[path] = contentOf(join(repo.checkout, path))
  }
  return state
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(root, path) : [path]
  })
}

function contentOf(path: string): string {
  const { mode } = lstatSync(path)
  const content = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'latin1')
  return `${mode.toString(8)} ${content}`
}

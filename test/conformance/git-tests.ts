import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { AttemptId, Commit } from '../../src/core/model/ids.ts'
import { unwrap } from '../../src/core/model/problem.ts'
import type { Checkpoint, Released } from '../../src/ports/workspaces.ts'
import { attemptSpec, type SpecOverrides } from './attempt-specs.ts'
import { useContainment } from './containments.ts'
import type { TestRepository } from './git-repositories.ts'
import { targetTip } from './git-world.ts'
import { type RealGitWorld, realGitWorld } from './real-git-world.ts'

/** Id of the attempt that most tests use. */
export const ONE = 'one-a1' as AttemptId
/** Signal that never aborts. */
export const NEVER = new AbortController().signal

/** Containment of the processes that tests start. */
export const containment = await useContainment()

/** Creates a real repository for each test of a file. */
export function useGitWorld(prepare: (repo: TestRepository) => void = () => {}): () => RealGitWorld {
  let world: RealGitWorld
  beforeEach(async () => {
    world = await realGitWorld(containment, { prepare })
  })
  afterEach(() => world.leave())
  return () => world
}

/** Creates an attempt's workspace at the target's commit. */
export async function begin(world: RealGitWorld, overrides: SpecOverrides = {}, attempt = ONE): Promise<Commit> {
  const base = await targetTip(world)
  const commit = await world.workspaces.ensure(attemptSpec(attempt, base, overrides), base, NEVER)
  if (typeof commit !== 'string') throw new Error(JSON.stringify(commit))
  return commit
}

/** Runs the agent's own git in a workspace. */
export function agentGit(world: RealGitWorld, args: readonly string[], attempt = ONE): string {
  return world.repo.git(args, world.workspaces.folder(attempt))
}

/** Takes a checkpoint; throws when it fails. */
export async function save(
  world: RealGitWorld,
  base: Commit,
  last = base,
  overrides: SpecOverrides = {},
  attempt = ONE,
): Promise<Checkpoint> {
  return unwrap(await world.workspaces.checkpoint(attemptSpec(attempt, base, overrides), last, 'work'))
}

/** Releases a workspace; throws when it fails. */
export async function release(
  world: RealGitWorld,
  base: Commit,
  commit: Commit,
  how: 'landed' | 'keep',
): Promise<Released> {
  return unwrap(await world.workspaces.release(attemptSpec(ONE, base), commit, how))
}

/** Commits files on top of a commit, without a branch or a workspace. */
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

/** Moves the line to a commit, as if it had landed. */
export async function putOnLine(world: RealGitWorld, commit: Commit): Promise<void> {
  world.repo.git(['update-ref', 'refs/longhaul/landed/main', commit])
}

/** Reads everything that belongs to the repository's user: files, index, settings, hooks, HEAD, stash and refs except ours. */
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

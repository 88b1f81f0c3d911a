import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AttemptId, Commit } from '../../src/core/model/ids.ts'
import { gitLanding } from '../../src/landing/git-landing.ts'
import type { Containment } from '../../src/process/containment.ts'
import { sharedClones } from '../../src/workspaces/shared-clones.ts'
import { makeRepository, type TestRepository } from './git-repositories.ts'
import type { GitWorld } from './git-world.ts'

/** A world on a real disk, with everything in it at hand. */
export interface RealGitWorld extends GitWorld {
  readonly repo: TestRepository
  /** What the adapters found worth saying. */
  readonly notes: readonly string[]
  /** Another engine, which finds the repository from this folder. */
  restart(folder?: string): Promise<void>
}

/** Shared clones and landing in a real repository; `path` is where they find git, if elsewhere than usual. */
export async function realGitWorld(
  containment: Containment,
  path?: (repo: TestRepository) => string,
): Promise<RealGitWorld> {
  const repo = makeRepository()
  const { git, write, read, commit, home } = repo
  const env = path === undefined ? repo.env : { ...repo.env, PATH: path(repo) }
  const notes: string[] = []
  const adapters = async (folder?: string) => {
    const repository = await repo.open(folder, env)
    const note = (text: string): void => void notes.push(text)
    const workspaces = sharedClones({ repository, home, environment: env, containment, graceMs: 200, note })
    return { workspaces, landing: gitLanding({ repository }) }
  }
  let { workspaces, landing } = await adapters()
  const folderOf = (attempt: string): string => workspaces.folder(attempt as AttemptId)
  return {
    ...{ repo, notes },
    get workspaces() {
      return workspaces
    },
    get landing() {
      return landing
    },
    async restart(folder) {
      ;({ workspaces, landing } = await adapters(folder))
    },
    async userCommits(path, text) {
      write(path, text)
      return commit('of the user')
    },
    userLeavesChanges: async () => write('kept.txt', 'changed\n'),
    userTidiesUp: async () => void git(['checkout', '--quiet', '--', 'kept.txt']),
    userDropsLatest: async () => void git(['reset', '--quiet', '--hard', 'HEAD~1']),
    agentWrites: async (attempt, path, text) => write(path, text, folderOf(attempt)),
    workspaceVanishes: (attempt) => rm(dirname(folderOf(attempt)), { recursive: true }),
    fileIn: async (folder, path) => read(path, folder),
    fileAt: async (at, path) => tryGit(() => `${git(['show', `${at}:${path}`])}\n`),
    parentsOf: async (at) => git(['rev-parse', `${at}^@`]).split('\n') as Commit[],
    refAt: async (ref) => tryGit(() => git(['rev-parse', '--verify', '--quiet', ref]) as Commit),
    leave: async () => repo.remove(),
  }
}

function tryGit<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch {
    return null
  }
}

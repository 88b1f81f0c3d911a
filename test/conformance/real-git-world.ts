import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gitLanding } from '../../src/adapters/landing/git-landing.ts'
import { sharedClones } from '../../src/adapters/workspaces/shared-clones.ts'
import type { AttemptId, Commit } from '../../src/core/model/ids.ts'
import type { Containment } from '../../src/process/containment.ts'
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

/** What a test may want to be otherwise. */
export interface GitWorldWishes {
  /** Readies the repository before anything else looks at it. */
  readonly prepare?: (repo: TestRepository) => void
  /** Where the adapters find git. */
  readonly path?: (repo: TestRepository) => string
}

/** Shared clones and landing in a real repository. */
export async function realGitWorld(containment: Containment, wishes: GitWorldWishes = {}): Promise<RealGitWorld> {
  const repo = makeRepository()
  const { git, write, read, commit, home } = repo
  wishes.prepare?.(repo)
  const env = wishes.path === undefined ? repo.env : { ...repo.env, PATH: wishes.path(repo) }
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
    repo,
    notes,
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

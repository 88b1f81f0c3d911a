import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gitLanding } from '../../src/adapters/landing/git-landing.ts'
import { sharedClones } from '../../src/adapters/workspaces/shared-clones.ts'
import type { AttemptId, Commit } from '../../src/core/model/ids.ts'
import type { Containment } from '../../src/process/start/containment.ts'
import { unlimited } from './containments.ts'
import { makeRepository, type TestRepository } from './git-repositories.ts'
import type { GitWorld } from './git-world.ts'

/** A git world on a real disk. */
export interface RealGitWorld extends GitWorld {
  readonly repo: TestRepository
  /** Notes that the adapters logged. */
  readonly notes: readonly string[]
  /** Simulates a restart of the engine, which opens the repository from this folder. */
  restart(folder?: string): Promise<void>
}

/** Settings that a test can override. */
export interface GitWorldOptions {
  /** Prepares the repository before the adapters open it. */
  readonly prepare?: (repo: TestRepository) => void
  /** PATH on which the adapters find git. */
  readonly path?: (repo: TestRepository) => string
}

/** Creates shared clones and landing on a real repository. */
export async function realGitWorld(containment: Containment, options: GitWorldOptions = {}): Promise<RealGitWorld> {
  const repo = makeRepository()
  const { git, write, read, commit, home } = repo
  options.prepare?.(repo)
  const env = options.path === undefined ? repo.env : { ...repo.env, PATH: options.path(repo) }
  const notes: string[] = []
  const adapters = async (folder?: string) => {
    const repository = await repo.open(folder, env)
    const note = (text: string): void => void notes.push(text)
    const workspaces = sharedClones({
      repository,
      home,
      environment: env,
      sandbox: unlimited(containment),
      graceMs: 200,
      note,
    })
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
    userRevertsChanges: async () => void git(['checkout', '--quiet', '--', 'kept.txt']),
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

import { existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LandedChange } from '../../core/model/landed-change.ts'
import type { Problem } from '../../core/model/problem.ts'
import { isProblem, problem } from '../../core/model/problem.ts'
import { PLAIN_SANDBOX, type SandboxSettings } from '../../core/model/settings.ts'
import { diffText, fileChanges } from '../../git/diff.ts'
import type { Git } from '../../git/git.ts'
import { commitOf, isAncestor, missingCommits, treeOf } from '../../git/history.ts'
import { landedChanges } from '../../git/landed-changes.ts'
import { attemptBranches, lineLandings } from '../../git/line-landings.ts'
import { branchOf, refs } from '../../git/names.ts'
import { findLocks } from '../../git/ref-locks.ts'
import { changeRefs } from '../../git/refs.ts'
import type { FoundRepository } from '../../git/repository.ts'
import { findTemporaryObjects } from '../../git/temporary-objects.ts'
import { unignoredFolders } from '../../git/unignored-folders.ts'
import type { Clock } from '../../ports/clock.ts'
import type { InUse } from '../../ports/landing.ts'
import type { Leftovers, Repository, State, Tools, ToolUse } from '../../ports/repository.ts'
import { CACHES, setAside, workspacesHomeOf } from './workspaces-home.ts'

/** Parts of a repository that other adapters provide, by folder or by git. */
export interface RepositoryParts {
  openState(place: StatePlace): Promise<State | Problem>
  openStateCopy(place: StatePlace): Promise<State | Problem>
  /** Prepares a place without state, while no other process can take the lease. */
  prepareState(place: StatePlace, prepare: () => Problem | null): Promise<Problem | null>
  leaseHolder(place: StatePlace): ReturnType<Repository['leaseHolder']>
  openTools(repository: OpenedAt, clock: Clock, use: ToolUse, sandbox: SandboxSettings): Promise<Tools | Problem>
  exports: Repository['exports']
  backups(stateFolder: string): ReturnType<Repository['backups']>
  salvage(git: Git): ReturnType<Repository['salvage']>
  leftovers(git: Git, workspacesHome: string, inUse: InUse): Promise<Omit<Leftovers, 'locks'> | Problem>
  promptOf(transcripts: string, ...of: Parameters<Repository['promptOf']>): ReturnType<Repository['promptOf']>
  transcriptTail(
    transcripts: string,
    ...of: Parameters<Repository['transcriptTail']>
  ): ReturnType<Repository['transcriptTail']>
}

/** Folders that the state and its lease use. */
export interface StatePlace {
  readonly stateFolder: string
  readonly gitDir: string
  readonly workspacesHome: string
}

/** Repository with the folders that its tools use. */
export interface OpenedAt {
  readonly found: FoundRepository
  readonly stateFolder: string
  /** Folder for the workspaces of all repositories. */
  readonly home: string
  readonly workspacesHome: string
  /** Folder of the package caches. */
  readonly cachesHome: string
}

/** Implements the repository port on a local git repository; `home` holds the workspaces of all repositories. */
export function localRepository(found: FoundRepository, home: string, parts: RepositoryParts): Repository {
  const { git } = found
  const stateFolder = join(found.gitDir, 'longhaul')
  const workspacesHome = workspacesHomeOf(found.gitDir, home)
  const cachesHome = join(workspacesHome, CACHES)
  const place = { stateFolder, gitDir: found.gitDir, workspacesHome }
  const transcripts = transcriptsIn(stateFolder)
  const hasState = () => existsSync(join(stateFolder, 'state.db'))
  return {
    root: found.checkout,
    stateFolder,
    workspacesHome,
    cachesHome,
    hasState,
    leaseHolder: () => parts.leaseHolder(place),
    ...stateOf(place, parts, hasState),
    openTools(clock, use, { corner = '', sandbox = PLAIN_SANDBOX } = {}) {
      const at = { found, stateFolder, home, workspacesHome: join(workspacesHome, corner), cachesHome }
      return parts.openTools(at, clock, use, sandbox)
    },
    removeCorner: (name) => rm(join(workspacesHome, name), { recursive: true, force: true }),
    treeOf: (commit) => treeOf(git, commit),
    missingCommits: (commits) => missingCommits(git, commits),
    async pinLine(target, commit) {
      const pinned = await changeRefs(git, [{ ref: refs.line(target), to: commit, from: null }])
      return isProblem(pinned) ? pinned : null
    },
    exports: () => parts.exports(),
    lineLandings: () => lineLandings(git),
    attemptBranches: () => attemptBranches(git),
    backups: () => parts.backups(stateFolder),
    salvage: () => parts.salvage(git),
    hasBranch: async (branch) => typeof (await commitOf(git, refs.head(branch))) === 'string',
    async branchHas(branch, commit) {
      const head = await commitOf(git, refs.head(branch))
      return head !== null && !isProblem(head) && (await isAncestor(git, commit, head)) === true
    },
    branchOf,
    unignored: (folders) => unignoredFolders(git.at({ folder: found.checkout }), folders),
    async landedChanges(files) {
      const all: LandedChange[] = []
      for (const file of files) {
        const changes = await landedChanges(git, file)
        if (isProblem(changes)) return changes
        all.push(...changes)
      }
      return all
    },
    async approveChanges(commits) {
      const approved = await changeRefs(
        git,
        commits.map((commit) => ({ ref: refs.approved(commit), to: commit })),
      )
      return isProblem(approved) ? approved : null
    },
    async leftovers(inUse) {
      const leftovers = await parts.leftovers(git, workspacesHome, inUse)
      return isProblem(leftovers) ? leftovers : { ...leftovers, locks: await findLocks(found.gitDir) }
    },
    temporaryObjects: () => findTemporaryObjects(found.gitDir),
    promptOf: (attempt, round) => parts.promptOf(transcripts, attempt, round),
    transcriptTail: (attempt) => parts.transcriptTail(transcripts, attempt),
    changes: {
      commitAt: (name) => commitOf(git, name),
      text: (from, to, look) => diffText(git, from, to, look),
      files: (from, to) => fileChanges(git, from, to),
    },
  }
}

// SQLite takes an empty file for a new one; transcripts show that there was a run.
function emptyStateProblem(stateFolder: string): Problem | null {
  const file = join(stateFolder, 'state.db')
  const isLost = statSync(file).size === 0 && existsSync(transcriptsIn(stateFolder)) && !existsSync(`${file}-wal`)
  if (!isLost) return null
  return problem({
    code: 'state-damaged',
    message: `${file} is empty, although there has been a run. It was left untouched.`,
    hint: 'Move its folder away, then restore a backup (longhaul import BACKUP) or start with an empty state.',
    retry: 'never',
  })
}

/** Folder of all transcripts of a repository. */
export function transcriptsIn(stateFolder: string): string {
  return join(stateFolder, 'transcripts')
}

function stateOf(
  place: StatePlace,
  parts: RepositoryParts,
  hasState: () => boolean,
): Pick<Repository, 'openState' | 'readState'> {
  const openState = async () => {
    const prepare = () => (hasState() ? null : setAside(place.workspacesHome))
    const refused = hasState() ? emptyStateProblem(place.stateFolder) : await parts.prepareState(place, prepare)
    return refused ?? parts.openState(place)
  }
  return {
    openState,
    async readState() {
      const state = await openState()
      return isProblem(state) && UNWRITABLE.has(state.code) && hasState() ? parts.openStateCopy(place) : state
    },
  }
}

const UNWRITABLE: ReadonlySet<string> = new Set(['disk-read-only', 'disk-full', 'state-unwritable'])

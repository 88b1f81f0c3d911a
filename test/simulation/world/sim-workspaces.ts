import type { AttemptSpec } from '../../../src/core/model/attempt.ts'
import type { AttemptId, Commit } from '../../../src/core/model/ids.ts'
import { type Problem, problem } from '../../../src/core/model/problem.ts'
import type { Checkpoint, Released, Workspaces } from '../../../src/ports/workspaces.ts'
import type { SimDisk, SimWorkspace } from './sim-disk.ts'
import type { SimRepository } from './sim-repository.ts'

/** Simulated private clones. Operations take no time; faulty-ports.ts adds latency and faults. */
export function simWorkspaces(repository: SimRepository, disk: SimDisk, now: () => number): Workspaces {
  return {
    ensure: async (spec, commit) => {
      const known = disk.workspaces.get(spec.attempt)
      if (known?.kind === 'workspace') return known.head
      repository.refs.set(`refs/longhaul/base/${spec.attempt}`, commit)
      const files = new Map(repository.filesOf(commit))
      disk.put({ name: spec.attempt, attempt: spec.attempt, kind: 'workspace', head: commit, files, changedAt: now() })
      return commit
    },
    exists: async (attempt) => disk.workspaces.get(attempt)?.kind === 'workspace',
    folder: (attempt) => attempt,
    reserveAgentFile: async () => null,
    endProcesses: async (attempt) => {
      disk.empty(attempt)
      return null
    },
    checkpoint: async (spec, last, message, amends = null) =>
      checkpoint(repository, disk, spec, { last, message, amends }),
    history: async ({ base }, commit) => {
      const changed = changedPaths(repository.filesOf(base), repository.filesOf(commit))
      return `Changed since ${base}: ${changed.join(', ') || 'nothing'}`
    },
    release: async (spec, commit, how) => release(repository, disk, spec, commit, how),
    checkOut: async (name, commit) => {
      const files = new Map(repository.filesOf(commit))
      const folder = `checkout ${name}`
      disk.put({ name: folder, attempt: null, kind: 'checkout', head: commit, files, changedAt: now() })
      return {
        kind: 'checkout',
        folder,
        discard: async () => {
          disk.workspaces.delete(folder)
        },
      }
    },
    hook: async () => null,
    list: async () =>
      [...disk.workspaces.values()].map(({ name, kind, attempt, changedAt }) => ({ name, kind, attempt, changedAt })),
    setAside: async (name) => {
      disk.empty(name)
      const checkout = disk.workspaces.get(name)
      if (checkout?.attempt !== null) return name
      disk.workspaces.delete(name)
      return disk.put({ ...checkout, name: `${name}~${now()}` }).name
    },
    discard: async (name) => {
      const workspace = disk.workspaces.get(name)
      if (workspace?.attempt) salvage(repository, disk, workspace, workspace.attempt)
      disk.empty(name)
      disk.workspaces.delete(name)
      return null
    },
  }
}

function checkpoint(
  repository: SimRepository,
  disk: SimDisk,
  spec: AttemptSpec,
  { last, message, amends }: { readonly last: Commit; readonly message: string; readonly amends: Commit | null },
): Checkpoint | Problem {
  const workspace = disk.workspaces.get(spec.attempt)
  if (workspace === undefined) return missing(spec.attempt)
  const isOurs = repository.isAncestor(spec.base, workspace.head)
  const parent = isOurs ? workspace.head : last
  const isDirty = disk.isDirty(workspace, repository.filesOf(parent))
  const parents = parent === amends ? repository.parentsOf(amends) : [parent]
  const commit = isDirty ? repository.commit(workspace.files, parents, message) : parent
  workspace.head = commit
  repository.refs.set(branchOf(spec.attempt), commit)
  const changed = changedPaths(repository.filesOf(spec.base), workspace.files).length
  return { kind: 'checkpoint', commit, tree: repository.treeOf(commit), changed, nested: [] }
}

function changedPaths(from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...from.keys(), ...to.keys()])].filter((path) => from.get(path) !== to.get(path))
}

function release(
  repository: SimRepository,
  disk: SimDisk,
  spec: AttemptSpec,
  commit: Commit,
  how: 'landed' | 'keep',
): Released | Problem {
  const line = repository.refs.get(`refs/longhaul/landed/${spec.target}`)
  if (how === 'landed' && (line === undefined || !repository.isAncestor(commit, line))) {
    const message = `${spec.attempt} is not in what has landed.`
    return problem({ code: 'not-landed', message, hint: 'Its workspace is kept.', retry: 'never' })
  }
  const workspace = disk.workspaces.get(spec.attempt)
  disk.empty(spec.attempt)
  const refs = workspace === undefined ? [] : salvage(repository, disk, workspace, spec.attempt)
  if (how === 'keep') return { kind: 'released', kept: true, salvage: refs }
  disk.workspaces.delete(spec.attempt)
  repository.refs.delete(branchOf(spec.attempt))
  repository.refs.delete(`refs/longhaul/base/${spec.attempt}`)
  return { kind: 'released', kept: false, salvage: refs }
}

function salvage(
  repository: SimRepository,
  disk: SimDisk,
  workspace: SimWorkspace,
  attempt: AttemptId,
): readonly string[] {
  const saved = repository.refs.get(branchOf(attempt)) ?? workspace.head
  if (!disk.isDirty(workspace, repository.filesOf(saved))) return []
  const ref = `refs/longhaul/salvage/${attempt}`
  repository.refs.set(ref, repository.commit(workspace.files, [workspace.head], `salvage of ${attempt}`))
  return [ref]
}

function branchOf(attempt: AttemptId): string {
  return `refs/heads/longhaul/${attempt}`
}

function missing(attempt: AttemptId): Problem {
  const message = `The workspace of ${attempt} is gone.`
  return problem({ code: 'workspace-missing', message, hint: 'It is created again.', retry: 'never' })
}

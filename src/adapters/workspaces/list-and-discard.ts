import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import { cancellable } from '../../git/git.ts'
import type { WorkspaceOnDisk } from '../../ports/workspaces.ts'
import { readAttemptRefs } from './attempt-refs.ts'
import { attemptOf, type ClonePaths, cloneNameOf, clonePathsNamed, isWhole, OWN } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { deleteAttemptRefs } from './delete-attempt-refs.ts'
import { salvageAll } from './release-workspace.ts'
import { emptyClone, removeClone } from './remove-clone.ts'

/** Lists all clones in the home, complete or not, and remains of removed ones. */
export async function listClones({ home }: WorkspaceContext): Promise<readonly WorkspaceOnDisk[]> {
  const entries = [...(await namesIn(home)), ...(await namesIn(join(home, OWN)))]
  const names = new Set(entries.flatMap((entry) => cloneNameOf(entry) ?? []))
  return Promise.all([...names].sort().map((name) => onDisk(clonePathsNamed(home, name))))
}

/** Removes one clone; an attempt's unsaved work is salvaged first, and its branch stays. */
export async function discardClone(
  patient: WorkspaceContext,
  name: string,
  signal: AbortSignal,
): Promise<Problem | null> {
  const { repository } = patient
  const context = { ...patient, repository: { ...repository, git: cancellable(repository.git, signal) } }
  const known = await listClones(context)
  const listed = known.find((one) => one.name === name)
  if (listed === undefined) return unknown(context, name)
  const clone = clonePathsNamed(context.home, name)
  const emptied = await emptyClone(context, clone)
  if (emptied !== null) return emptied
  if (listed.attempt === null) return removeClone(clone, signal)
  const attemptRefs = await readAttemptRefs(context.repository.git, listed.attempt, '')
  if (isProblem(attemptRefs)) return attemptRefs
  const salvage = await salvageAll(context, clone, listed.attempt, attemptRefs)
  if (isProblem(salvage)) return salvage
  return (await removeClone(clone, signal)) ?? deleteAttemptRefs(context, listed.attempt, attemptRefs.own, null)
}

async function onDisk(clone: ClonePaths): Promise<WorkspaceOnDisk> {
  const attempt = attemptOf(clone)
  const kind = kindOf(clone, attempt === null)
  const times = await Promise.all([clone.root, clone.removing, clone.own].map((path) => stat(path).catch(() => null)))
  return { name: clone.name, kind, attempt, changedAt: Math.max(0, ...times.map((time) => time?.mtimeMs ?? 0)) }
}

function kindOf(clone: ClonePaths, isCheckout: boolean): WorkspaceOnDisk['kind'] {
  if (!existsSync(clone.root)) return 'leftover'
  if (isCheckout) return 'checkout'
  return isWhole(clone) ? 'workspace' : 'partial'
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw cause
  })
}

function unknown({ home }: WorkspaceContext, name: string): Problem {
  const message = `There is no workspace named ${JSON.stringify(name)} in ${home}.`
  return problem({ code: 'workspace-unknown', message, hint: 'List workspaces: longhaul doctor', retry: 'never' })
}

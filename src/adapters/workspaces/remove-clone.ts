import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { chmod, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Problem, problem } from '../../core/model/problem.ts'
import { emptyWorkspace } from '../../process/end/end-tree.ts'
import { runCommand } from '../../process/start/run-command.ts'
import { type ClonePaths, isAbsent } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** Ends every process in a clone; a problem names those that did not end. */
export async function emptyClone({ graceMs }: WorkspaceContext, clone: ClonePaths): Promise<Problem | null> {
  if (isAbsent(clone)) return null
  const survivors = await emptyWorkspace({ folder: clone.root, pidFolder: clone.pids, graceMs })
  if (survivors.length === 0) {
    if (isRealFolder(clone.tree)) removeStaleLocks(join(clone.tree, '.git'))
    return null
  }
  const names = survivors.map(({ pid, name }) => `${name} (${pid})`).join(', ')
  return problem({
    code: 'processes-left',
    message: `Processes in ${clone.tree} could not be ended: ${names}.`,
    hint: 'End them by hand (kill PID), then run again.',
    retry: 'later',
  })
}

/** Removes a clone and our files about it; the caller has saved its work. */
export async function removeClone(clone: ClonePaths, signal?: AbortSignal): Promise<Problem | null> {
  try {
    if (existsSync(clone.removing)) await removeFolders([clone.removing], signal)
    if (signal?.aborted) return unfinished(clone)
    if (existsSync(clone.root)) {
      mkdirSync(dirname(clone.removing), { recursive: true })
      renameSync(clone.root, clone.removing)
    }
    if (!isAbsent(clone)) await removeFolders([clone.removing, clone.own], signal)
    return signal?.aborted && !isAbsent(clone) ? unfinished(clone) : null
  } catch (cause) {
    return problem({
      code: 'workspace-stuck',
      message: `The workspace ${clone.root} could not be removed: ${(cause as Error).message}.`,
      hint: 'Remove the folder by hand; its work has been saved.',
      retry: 'later',
      cause,
    })
  }
}

const RETRIES_MAX = 3

// "rm" takes a fraction of Node's time. Node removes the rest, or reports what is in the way.
async function removeFolders(folders: readonly string[], signal?: AbortSignal): Promise<void> {
  const rm = { file: 'rm', args: ['-rf', '--', ...folders], cwd: '/', env: { PATH: '/usr/bin:/bin' } }
  await runCommand(signal === undefined ? rm : { ...rm, signal })
  for (const folder of folders) if (!signal?.aborted && existsSync(folder)) await removeFolder(folder)
}

function unfinished({ removing }: ClonePaths): Problem {
  const hint = 'The next engine, or "longhaul gc --yes", continues.'
  return problem({ code: 'cancelled', message: `The removal of ${removing} was cancelled.`, hint, retry: 'later' })
}

async function removeFolder(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: RETRIES_MAX })
  try {
    await remove()
  } catch (cause) {
    if (!['EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause
    await makeWritable(folder)
    await remove()
  }
}

// Some tools leave read-only folders, such as Go's module cache.
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name))
  }
}

// No process is left in the workspace, so a lock file is from a killed git and would only block the next one.
function removeStaleLocks(gitDir: string): void {
  if (!isRealFolder(gitDir)) return
  for (const entry of readdirSync(gitDir)) if (entry.endsWith('.lock')) remove(join(gitDir, entry))
  removeLocksBelow(join(gitDir, 'refs'))
}

// No link is followed: it could lead to refs of the user.
function removeLocksBelow(folder: string): void {
  if (!isRealFolder(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name.endsWith('.lock')) remove(path)
    else if (entry.isDirectory()) removeLocksBelow(path)
  }
}

// An agent may have made a folder of such a name.
function remove(lock: string): void {
  rmSync(lock, { recursive: true, force: true })
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

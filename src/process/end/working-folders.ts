import { readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { listPids } from './process-table.ts'

/** Lists the processes whose working folder is this folder or below it, even when it has been removed since. */
export function pidsInside(folder: string): readonly number[] {
  const real = realFolder(folder)
  return listPids().filter((pid) => {
    const cwd = workingFolder(pid)
    return cwd !== null && isInside(cwd, real)
  })
}

/** True when a working folder, as the kernel writes it, is this folder or below it. @internal */
export function isInside(cwd: string, folder: string): boolean {
  return cwd === folder || cwd === folder + DELETED || cwd.startsWith(folder === '/' ? folder : `${folder}/`)
}

const DELETED = ' (deleted)'

// The kernel reports working folders without symbolic links; a removed folder is resolved through its nearest parent.
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch (cause) {
    const parent = dirname(folder)
    if (parent === folder) throw cause
    return join(realFolder(parent), basename(folder))
  }
}

/** Returns the working folder of a process, as the kernel writes it; null when it is gone or another user's. */
export function workingFolder(pid: number): string | null {
  const path = `/proc/${pid}`
  const uid = process.getuid?.() ?? 0
  try {
    // Only root may read other users' processes. Asking for the owner first costs a quarter of a refused readlink.
    if (uid !== 0 && statSync(path, { throwIfNoEntry: false })?.uid !== uid) return null
    return readlinkSync(`${path}/cwd`)
  } catch {
    return null // a kernel thread, hidden, or gone since it was listed
  }
}

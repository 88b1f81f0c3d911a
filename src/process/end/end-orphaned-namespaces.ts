import { readFileSync } from 'node:fs'
import { readProcessTable } from './process-table.ts'

// bwrap's own child is tied to it a moment after it has begun. Where bwrap was killed before that, the child is still there,
// with whatever is in its namespace, and no working folder or record leads to it.

/** Argument of every bwrap of ours, by which its processes are recognised. */
export const NAMESPACE_MARK = 'longhaul-start'

/** Ends the namespaces of ours whose bwrap is dead, whichever engine made them. */
export function endOrphanedNamespaces(): void {
  const table = readProcessTable()
  for (const { pid, ppid, name } of table.values()) {
    if (name !== 'bwrap' || table.get(ppid)?.name === name || !isFirstInside(pid) || !isOurs(pid)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // gone, or another user's
    }
  }
}

/** Whether it is the first process of a namespace within ours, where it has another number besides. */
function isFirstInside(pid: number): boolean {
  return /^NSpid:(\t\d+)+\t1$/m.test(textOf(`/proc/${pid}/status`))
}

function isOurs(pid: number): boolean {
  return textOf(`/proc/${pid}/cmdline`).includes(NAMESPACE_MARK)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // gone since it was listed, or not ours to read
  }
}

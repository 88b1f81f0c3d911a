import { readFileSync } from 'node:fs'
import { readProcessTable } from './process-table.ts'

// bwrap's child asks to be ended with bwrap a moment after it has begun. When bwrap was killed before that, the child lives
// on with its namespace, and no working folder or pid file leads to it.

/** Argument that marks the command line of every bwrap of ours. */
export const NAMESPACE_MARK = 'longhaul-start'

/** Ends all namespaces of ours whose bwrap is dead, whichever engine made them. */
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

/** True when this process runs in a namespace of ours, of whichever engine. */
export function isInNamespace(): boolean {
  return textOf('/proc/1/cmdline').split('\0').includes(NAMESPACE_MARK)
}

/** True for the first process of a pid namespace inside ours: it has pid 1 there and another pid here. */
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

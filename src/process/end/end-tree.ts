import { setTimeout as pause } from 'node:timers/promises'
import { type PidFile, readPidFiles, removePidFile } from './pid-files.ts'
import { isAlive, type ProcessEntry, type ProcessKey, readProcess, readProcessTable } from './process-table.ts'
import { treeMembers } from './tree-members.ts'
import { pidsInside } from './working-folders.ts'

/** A process tree: the processes started, and the workspace in which others of it may work. */
export interface TreeToEnd {
  readonly roots: readonly ProcessKey[]
  readonly folder: string | null
  /** Time it has to exit after SIGTERM. */
  readonly graceMs: number
  /** True once the tree has been proven empty elsewhere: from then on its folder belongs to the next one. */
  readonly isOver?: () => boolean
}

/** A process that could not be ended. */
export interface Survivor extends ProcessKey {
  readonly name: string
}

/** A workspace: its folder, and the folder of its pid files. */
export interface WorkspaceToEmpty {
  readonly folder: string | null
  readonly pidFolder: string
  readonly graceMs: number
}

/** Number of processes found, and those still alive. */
export interface Sweep {
  readonly found: number
  readonly survivors: readonly Survivor[]
}

/** Ends a tree, with SIGTERM first, and returns the processes that are still alive. @internal */
export async function endTree(tree: TreeToEnd): Promise<readonly Survivor[]> {
  return (await sweepTree(tree)).survivors
}

/** True when no process of a tree is left. */
export function isTreeEmpty({ roots, folder }: Pick<TreeToEnd, 'roots' | 'folder'>): boolean {
  return livingMembers(roots, folder).length === 0
}

/** Ends a tree and counts its processes. */
export async function sweepTree({ roots, folder, graceMs, isOver }: TreeToEnd): Promise<Sweep> {
  const gentleUntil = performance.now() + graceMs
  const patientUntil = gentleUntil + KILL_PATIENCE_MS
  const known = new Map<string, ProcessEntry>()
  const listLiving = (): readonly ProcessEntry[] => {
    const living = isOver?.() ? [] : livingMembers([...roots, ...known.values()], folder)
    for (const entry of living) known.set(`${entry.pid} ${entry.startTime}`, entry)
    return living
  }
  for (;;) {
    const living = await stopAll(listLiving)
    const now = performance.now()
    if (living.length === 0 || now >= patientUntil) return { found: known.size, survivors: living }
    const listening = now < gentleUntil ? living.filter(takesGentleSignal) : []
    const isGentle = listening.length > 0
    signalAll(isGentle ? listening : living, isGentle ? 'SIGTERM' : 'SIGKILL')
    signalAll(living, 'SIGCONT')
    await untilGone(living, isGentle ? gentleUntil : now + RESCAN_MS)
  }
}

/** Ends all processes of a workspace, found by pid file or working folder, and removes the pid files of the dead. */
export async function emptyWorkspace({ folder, pidFolder, graceMs }: WorkspaceToEmpty): Promise<readonly Survivor[]> {
  const records = readPidFiles(pidFolder)
  const survivors = await endTree({ roots: livingRoots(records), folder, graceMs })
  for (const { key, path } of records) if (key === null || !isAlive(key)) removePidFile(path)
  return survivors
}

/** Ends the processes that a dead engine left in a workspace, and none that its successor starts meanwhile. */
export function endAbandoned({ folder, pidFolder, graceMs }: WorkspaceToEmpty): Promise<readonly Survivor[]> {
  const working = (folder === null ? [] : pidsInside(folder)).flatMap((pid) => readProcess(pid) ?? [])
  const roots = [...livingRoots(readPidFiles(pidFolder)), ...working.filter((entry) => !entry.hasTerminal)]
  return endTree({ roots, folder: null, graceMs })
}

const KILL_PATIENCE_MS = 5_000
const LOOKS_MAX = 10
const RESCAN_MS = 100
const POLL_MS_MAX = 32

// Processes once seen count as roots, so their children are found even after they are gone.
function livingMembers(roots: readonly ProcessKey[], folder: string | null): readonly ProcessEntry[] {
  const inside = folder === null ? [] : pidsInside(folder)
  if (roots.length === 0 && inside.length === 0) return []
  return treeMembers({ table: readProcessTable(), roots, inside, self: process.pid })
}

// A process could start another one between the listing and the signal; a stopped process cannot.
async function stopAll(listLiving: () => readonly ProcessEntry[]): Promise<readonly ProcessEntry[]> {
  for (let looks = 1; ; looks += 1) {
    const living = listLiving()
    const moving = living.filter((entry) => !entry.isStopped)
    if (moving.length === 0 || looks === LOOKS_MAX) return living
    signalAll(moving, 'SIGSTOP')
    await pause(1)
  }
}

function livingRoots(records: readonly PidFile[]): readonly ProcessKey[] {
  return records.flatMap(({ key }) => (key !== null && isAlive(key) ? [key] : []))
}

// Ending bwrap is kill -9 for everything in it, and it exits by itself after its program.
function takesGentleSignal(entry: ProcessEntry): boolean {
  return entry.name !== 'bwrap'
}

function signalAll(entries: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  for (const entry of entries) {
    try {
      if (isAlive(entry)) process.kill(entry.pid, signal)
    } catch {
      // gone, or not ours to signal: the next listing shows it
    }
  }
}

async function untilGone(entries: readonly ProcessKey[], until: number): Promise<void> {
  for (let waitMs = 1; entries.some(isAlive); waitMs = Math.min(POLL_MS_MAX, waitMs * 2)) {
    const leftMs = until - performance.now()
    if (leftMs <= 0) return
    await pause(Math.min(waitMs, leftMs))
  }
}

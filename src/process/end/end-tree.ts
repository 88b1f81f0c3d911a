import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type PidFile, readPidFiles } from './pid-files.ts'
import { isAlive, type ProcessEntry, type ProcessKey, readProcess, readProcessTable } from './process-table.ts'
import { treeMembers } from './tree-members.ts'
import { pidsInside } from './working-folders.ts'

/** A process tree: what was started, and the workspace where anything else of it may be working. */
export interface TreeToEnd {
  readonly roots: readonly ProcessKey[]
  readonly folder: string | null
  /** How long it may take to end by itself after SIGTERM. */
  readonly graceMs: number
  /** Tells that it was proven empty by somebody else meanwhile: from then on the folder belongs to the next. */
  readonly isOver?: () => boolean
}

/** A process that could not be ended. */
export interface Survivor extends ProcessKey {
  readonly name: string
}

/** A workspace: its folder, and where the starts of its processes are recorded. */
export interface WorkspaceToEmpty {
  readonly folder: string | null
  readonly pidFolder: string
  readonly graceMs: number
}

/** How many processes there were, and which of them are still there. */
export interface Sweep {
  readonly found: number
  readonly survivors: readonly Survivor[]
}

/** Ends a tree, first gently, and proves it: nothing in the answer means nothing is left. @internal */
export async function endTree(tree: TreeToEnd): Promise<readonly Survivor[]> {
  return (await sweepTree(tree)).survivors
}

/** Whether nothing of a tree is left. */
export function isTreeEmpty({ roots, folder }: Pick<TreeToEnd, 'roots' | 'folder'>): boolean {
  return livingMembers(roots, folder).length === 0
}

/** Ends a tree and says how many processes there were. */
export async function sweepTree({ roots, folder, graceMs, isOver }: TreeToEnd): Promise<Sweep> {
  const gentleUntil = performance.now() + graceMs
  const patientUntil = gentleUntil + KILL_PATIENCE_MS
  const known = new Map<string, ProcessEntry>()
  const look = (): readonly ProcessEntry[] => {
    const living = isOver?.() ? [] : livingMembers([...roots, ...known.values()], folder)
    for (const entry of living) known.set(`${entry.pid} ${entry.startTime}`, entry)
    return living
  }
  for (;;) {
    const living = await standStill(look)
    const now = performance.now()
    if (living.length === 0 || now >= patientUntil) return { found: known.size, survivors: living }
    const listening = now < gentleUntil ? living.filter(takesGentleSignal) : []
    const isGentle = listening.length > 0
    signalAll(isGentle ? listening : living, isGentle ? 'SIGTERM' : 'SIGKILL')
    signalAll(living, 'SIGCONT')
    await untilGone(living, isGentle ? gentleUntil : now + RESCAN_MS)
  }
}

/** Ends everything that pid files or working folders tie to a workspace, and removes the records of the dead. */
export async function emptyWorkspace({ folder, pidFolder, graceMs }: WorkspaceToEmpty): Promise<readonly Survivor[]> {
  const records = readPidFiles(pidFolder)
  const survivors = await endTree({ roots: livingRoots(records), folder, graceMs })
  for (const { key, path } of records) if (key === null || !isAlive(key)) rmSync(path, { force: true })
  return survivors
}

/** Ends what a dead engine left in a workspace, and nothing that its successor starts there meanwhile. */
export function endAbandoned({ folder, pidFolder, graceMs }: WorkspaceToEmpty): Promise<readonly Survivor[]> {
  const working = (folder === null ? [] : pidsInside(folder)).flatMap((pid) => readProcess(pid) ?? [])
  const roots = [...livingRoots(readPidFiles(pidFolder)), ...working.filter((entry) => !entry.hasTerminal)]
  return endTree({ roots, folder: null, graceMs })
}

const KILL_PATIENCE_MS = 5_000
const LOOKS_MAX = 10
const RESCAN_MS = 100
const POLL_MS_MAX = 32

// Known ones count as roots from then on: what they start while they end is found even after they are gone.
function livingMembers(roots: readonly ProcessKey[], folder: string | null): readonly ProcessEntry[] {
  const inside = folder === null ? [] : pidsInside(folder)
  if (roots.length === 0 && inside.length === 0) return []
  return treeMembers({ table: readProcessTable(), roots, inside, self: process.pid })
}

// Between a look and a signal a process could start another one, which is then nobody's child. What is stopped cannot.
async function standStill(look: () => readonly ProcessEntry[]): Promise<readonly ProcessEntry[]> {
  for (let looks = 1; ; looks += 1) {
    const living = look()
    const moving = living.filter((entry) => !entry.isStopped)
    if (moving.length === 0 || looks === LOOKS_MAX) return living
    signalAll(moving, 'SIGSTOP')
    await pause(1)
  }
}

function livingRoots(records: readonly PidFile[]): readonly ProcessKey[] {
  return records.flatMap(({ key }) => (key !== null && isAlive(key) ? [key] : []))
}

// The end of bwrap is kill -9 for everything in it, and it ends by itself after its program.
function takesGentleSignal(entry: ProcessEntry): boolean {
  return entry.name !== 'bwrap'
}

function signalAll(entries: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  for (const entry of entries) {
    try {
      if (isAlive(entry)) process.kill(entry.pid, signal)
    } catch {
      // gone, or not ours to signal: the next look tells
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

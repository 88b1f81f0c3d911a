import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

/** Identity of a process: a pid may be reused, but not with the same start time. */
export interface ProcessKey {
  readonly pid: number
  /** In clock ticks since boot. */
  readonly startTime: number
}

/** A living process, as /proc reports it. */
export interface ProcessEntry extends ProcessKey {
  readonly ppid: number
  readonly group: number
  readonly session: number
  readonly hasTerminal: boolean
  /** True after SIGSTOP: it starts nothing until SIGCONT. */
  readonly isStopped: boolean
  readonly name: string
}

/** Reads all living processes by pid, without kernel threads. */
export function readProcessTable(): ReadonlyMap<number, ProcessEntry> {
  const table = new Map<number, ProcessEntry>()
  for (const pid of listPids()) {
    const entry = readProcess(pid)
    if (entry !== null) table.set(pid, entry)
  }
  return table
}

/** Lists all pids, of zombies too. */
export function listPids(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** Reads a living process; null when there is none with this pid. */
export function readProcess(pid: number): ProcessEntry | null {
  const line = readStat(pid)
  return line === null ? null : parseStat(line)
}

/** True while this very process lives; a zombie does not. */
export function isAlive(key: ProcessKey): boolean {
  return readProcess(key.pid)?.startTime === key.startTime
}

/** Parses a line of /proc/PID/stat; null for the dead, zombies and kernel threads. */
export function parseStat(line: string): ProcessEntry | null {
  const open = line.indexOf('(')
  // The name may contain spaces and parentheses; no field after it does.
  const close = line.lastIndexOf(')')
  if (open < 1 || close < open) return null
  const fields = line.slice(close + 2).split(' ', 20)
  const field = (number: number): number => Number(fields[number - 3])
  const isKernelThread = (field(9) & KERNEL_THREAD_FLAG) !== 0
  if (isKernelThread || isDead(fields[0], field(20)) || !Number.isSafeInteger(field(22))) return null
  return {
    pid: Number(line.slice(0, open)),
    startTime: field(22),
    ppid: field(4),
    group: field(5),
    session: field(6),
    hasTerminal: field(7) !== 0,
    isStopped: fields[0] === 'T',
    name: line.slice(open + 1, close),
  }
}

const KERNEL_THREAD_FLAG = 0x00200000
const STAT_BYTES_MAX = 1024
const statBytes = Buffer.alloc(STAT_BYTES_MAX)

// A first thread that ended while others go on reads as a zombie.
function isDead(state: string | undefined, threads: number): boolean {
  return state === 'X' || (state === 'Z' && threads < 2)
}

function readStat(pid: number): string | null {
  let file: number
  try {
    file = openSync(`/proc/${pid}/stat`, 'r')
  } catch {
    return null // gone since the folder was listed
  }
  try {
    return statBytes.toString('latin1', 0, readSync(file, statBytes, 0, STAT_BYTES_MAX, 0))
  } catch {
    return null // gone since the file was opened
  } finally {
    closeSync(file)
  }
}

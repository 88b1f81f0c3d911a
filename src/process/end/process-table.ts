import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

/** One process for good: a pid may be given out again, but not with the same start time. */
export interface ProcessKey {
  readonly pid: number
  /** In clock ticks since the machine started. */
  readonly startTime: number
}

/** A living process, as /proc tells it. */
export interface ProcessEntry extends ProcessKey {
  readonly ppid: number
  readonly group: number
  readonly session: number
  readonly hasTerminal: boolean
  /** It does nothing, and starts nothing, until it is told to continue. */
  readonly isStopped: boolean
  readonly name: string
}

/** Every living process by pid, without the kernel's own threads. */
export function readProcessTable(): ReadonlyMap<number, ProcessEntry> {
  const table = new Map<number, ProcessEntry>()
  for (const pid of listPids()) {
    const entry = readProcess(pid)
    if (entry !== null) table.set(pid, entry)
  }
  return table
}

/** Every pid there is, dead or alive. */
export function listPids(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** One living process, or null when there is none with this pid. */
export function readProcess(pid: number): ProcessEntry | null {
  const line = readStat(pid)
  return line === null ? null : parseStat(line)
}

/** Whether this very process still lives; a zombie does not. */
export function isAlive(key: ProcessKey): boolean {
  return readProcess(key.pid)?.startTime === key.startTime
}

/** Reads a line of /proc/PID/stat; null for what is dead, not yet collected, or part of the kernel. */
export function parseStat(line: string): ProcessEntry | null {
  const open = line.indexOf('(')
  // The name may hold spaces and parentheses itself; no field after it does.
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

// A first thread that ended while others go on reads as a zombie, too.
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

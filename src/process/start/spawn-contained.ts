import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isTreeEmpty, type Sweep, sweepTree } from '../end/end-tree.ts'
import { removePidFile } from '../end/pid-files.ts'
import { type ProcessKey, readProcess } from '../end/process-table.ts'
import type { Containment } from './containment.ts'
import { findProgram } from './find-program.ts'
import { type NotStarted, notStarted } from './not-started.ts'
import { makePidFolder, recordStart } from './record-start.ts'
import { type ProcessToStart, type Started, startProcess } from './start-process.ts'

/** A program to run contained and recorded. */
export interface ContainedProgram {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** File that records its start; the name must end with .pid. */
  readonly pidFile: string
  readonly containment: Containment
  /** Workspace that is emptied when the program is ended; null: only what it started is ended. */
  readonly folder: string | null
}

/** A running contained program. */
export interface Spawned {
  readonly kind: 'spawned'
  readonly child: ChildProcess
  readonly pid: number
  /** True when no process of it is left. */
  readonly isEmpty: () => boolean
  /** Ends it with everything it started; removes its pid file when nothing is left. */
  readonly end: (graceMs: number) => Promise<Sweep>
}

/** Starts a program in its own session under the containment; its pid is recorded before its first instruction. */
export function spawnContained(
  program: ContainedProgram,
  pipes: Pick<ProcessToStart, 'takesInput' | 'keepsControlPipe'>,
): Spawned | NotStarted {
  const { file, args, cwd, env, pidFile, containment } = program
  if (!isFolder(cwd)) return notStarted(`${file} cannot be started in ${cwd}: there is no such folder.`)
  const path = findProgram(file, env, cwd)
  if (path === null) return notStarted(`${file} was not found, or may not be run.`)
  const release = watchedByGuard(program)
  try {
    makePidFolder(pidFile)
    const record = (pid: number): void => recordStart(pidFile, pid)
    const child = startProcess({ command: [path, ...args], containment, cwd, env, record, ...pipes })
    return running(program, child, release)
  } catch (cause) {
    release()
    return notStarted(`${file} could not be started in ${cwd}: ${String(cause)}`)
  }
}

function running(program: ContainedProgram, child: Started, release: () => void): Spawned {
  const { pid } = child
  // Time 0 when it is gone already: every process left in its session belongs to it.
  const root: ProcessKey = { pid, startTime: readProcess(pid)?.startTime ?? 0 }
  const tree = { roots: [root], folder: program.folder }
  // Not looked at again once proven empty: the next program may work in the same folder.
  let isOver = false
  const prove = (isProven: boolean): void => {
    if (isOver || !isProven) return
    isOver = true
    removePidFile(program.pidFile)
    release()
  }
  const isEmpty = (): boolean => {
    prove(isOver || isTreeEmpty(tree))
    return isOver
  }
  const end = async (graceMs: number): Promise<Sweep> => {
    const sweep = await sweepTree({ ...tree, graceMs, isOver: () => isOver })
    prove(sweep.survivors.length === 0)
    return sweep
  }
  return { kind: 'spawned', child, pid, isEmpty, end }
}

function watchedByGuard({ containment, folder, pidFile }: ContainedProgram): () => void {
  if (containment.kind !== 'guard') return () => {}
  const place = { folder, pidFolder: dirname(pidFile) }
  containment.guard.watch(place)
  let isWatched = true
  return () => {
    if (isWatched) containment.guard.unwatch(place)
    isWatched = false
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // not there, or not ours to enter
  }
}

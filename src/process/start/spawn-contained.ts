import type { ChildProcess } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isTreeEmpty, type Sweep, sweepTree } from '../end/end-tree.ts'
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
  /** Where its start is recorded; the name must end with .pid. */
  readonly pidFile: string
  readonly containment: Containment
  /** The workspace that is emptied when the program is ended; null ends only what it started. */
  readonly folder: string | null
}

/** A running contained program. */
export interface Spawned {
  readonly kind: 'spawned'
  readonly child: ChildProcess
  readonly pid: number
  /** Whether nothing of it is left. */
  readonly isEmpty: () => boolean
  /** Ends it with everything it started; once that is proven, its record goes too. */
  readonly end: (graceMs: number) => Promise<Sweep>
}

/** Starts a program in a session of its own, under the containment, its pid recorded before its first instruction. */
export function spawnContained(
  program: ContainedProgram,
  pipes: Pick<ProcessToStart, 'takesInput' | 'keepsControlPipe'>,
): Spawned | NotStarted {
  const { file, args, cwd, env, pidFile, containment } = program
  if (!isFolder(cwd)) return notStarted(`${file} cannot be started in ${cwd}: there is no such folder.`)
  const found = findProgram(file, env, cwd)
  if (found === null) return notStarted(`${file} was not found, or may not be run.`)
  const release = watchedByGuard(program)
  try {
    makePidFolder(pidFile)
    const record = (pid: number): void => recordStart(pidFile, pid)
    const child = startProcess({ command: [found, ...args], containment, cwd, env, record, ...pipes })
    return running(program, child, release)
  } catch (cause) {
    release()
    return notStarted(`${file} could not be started in ${cwd}: ${String(cause)}`)
  }
}

function running(program: ContainedProgram, child: Started, release: () => void): Spawned {
  const { pid } = child
  // Gone already: time 0 stands for "whatever is left of its session".
  const root: ProcessKey = { pid, startTime: readProcess(pid)?.startTime ?? 0 }
  const tree = { roots: [root], folder: program.folder }
  // Once proven, never looked at again: the next program may be at work in the same folder.
  let isOver = false
  const prove = (isProven: boolean): void => {
    if (isOver || !isProven) return
    isOver = true
    rmSync(program.pidFile, { force: true })
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

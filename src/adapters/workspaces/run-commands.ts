import { join } from 'node:path'
import { type Problem, problem } from '../../core/model/problem.ts'
import type { SetupFailed } from '../../ports/workspaces.ts'
import { runContained } from '../../process/run-contained.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** A command of the user's for a workspace. */
export interface WorkspaceCommand {
  /** What it is, for its output's file. */
  readonly name: string
  readonly command: string
  readonly timeoutMs: number
}

/** Runs a command in a place, ended with everything it started. */
export async function runIn(
  context: WorkspaceContext,
  clone: ClonePaths,
  { name, command, timeoutMs }: WorkspaceCommand,
  signal: AbortSignal,
): Promise<{ readonly kind: 'passed'; readonly durationMs: number } | SetupFailed | Problem> {
  const ended = await runContained({
    command,
    cwd: clone.tree,
    env: context.environment,
    timeoutMs,
    signal,
    containment: context.containment,
    pidFolder: clone.pids,
    folder: clone.root,
    outputMax: OUTPUT_BYTES_MAX,
    outputFile: join(clone.own, `${name}.log`),
  })
  if (signal.aborted) return calledOff(name)
  if (ended.kind === 'not-started') return notStarted(name, ended.message)
  const { exitCode, timedOut, output, durationMs } = ended
  return exitCode === 0 ? { kind: 'passed', durationMs } : { kind: 'setup-failed', command, exitCode, timedOut, output }
}

/** Runs commands one after another, within one time limit for all. */
export async function runInOrder(
  context: WorkspaceContext,
  clone: ClonePaths,
  commands: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<SetupFailed | Problem | null> {
  let leftMs = timeoutMs
  for (const [index, command] of commands.entries()) {
    const order = { name: `setup-${index + 1}`, command, timeoutMs: Math.max(1, leftMs) }
    const ended = await runIn(context, clone, order, signal)
    if (ended.kind !== 'passed') return ended
    leftMs -= ended.durationMs
  }
  return null
}

const OUTPUT_BYTES_MAX = 16 * 1024

function calledOff(name: string): Problem {
  const hint = 'It is done again at the next start.'
  return problem({ code: 'cancelled', message: `${name} was called off.`, hint, retry: 'later' })
}

function notStarted(name: string, message: string): Problem {
  if (/ENOSPC|EDQUOT/.test(message)) {
    const hint = 'Make room, then run again; nothing that was saved is lost.'
    return problem({ code: 'disk-full', message: `The disk is full: ${message}`, hint, retry: 'later' })
  }
  const hint = 'Correct what is named, then retry.'
  return problem({
    code: 'command-not-started',
    message: `${name} could not be started: ${message}`,
    hint,
    retry: 'later',
  })
}

import { join } from 'node:path'
import { diskProblem } from '../../core/model/disk-problem.ts'
import { type Problem, problem } from '../../core/model/problem.ts'
import { type RefusedHost, refusedHostsNote } from '../../core/sandbox/network-access.ts'
import type { SetupFailed } from '../../ports/workspaces.ts'
import { runContained } from '../../process/start/run-contained.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** A setup command or hook of the user. */
export interface WorkspaceCommand {
  /** Name of its output file. */
  readonly name: string
  readonly purpose?: 'setup' | 'hook'
  readonly command: string
  readonly timeoutMs: number
}

/** Runs a command in a clone, and ends everything it started. */
export async function runIn(
  context: WorkspaceContext,
  clone: ClonePaths,
  { name, purpose = 'hook', command, timeoutMs }: WorkspaceCommand,
  signal: AbortSignal,
): Promise<{ readonly kind: 'passed'; readonly durationMs: number } | SetupFailed | Problem> {
  const refused: RefusedHost[] = []
  const order = { purpose, folder: clone.tree, env: context.environment }
  const ended = await runContained({
    command,
    cwd: clone.tree,
    timeoutMs,
    signal,
    ...context.sandbox.enclose({ ...order, onRefused: (host) => refused.push(host) }),
    pidFolder: clone.pids,
    folder: clone.root,
    outputMax: OUTPUT_BYTES_MAX,
    outputFile: join(clone.own, `${name}.log`),
  })
  if (signal.aborted) return cancelled(name)
  if (ended.kind === 'not-started') return notStarted(name, clone.own, ended.message)
  const { exitCode, timedOut, durationMs } = ended
  const output = `${ended.output}${refusedHostsNote(refused)}`
  return exitCode === 0 ? { kind: 'passed', durationMs } : { kind: 'setup-failed', command, exitCode, timedOut, output }
}

/** Runs commands one after another within one time limit. */
export async function runInOrder(
  context: WorkspaceContext,
  clone: ClonePaths,
  commands: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<SetupFailed | Problem | null> {
  let leftMs = timeoutMs
  for (const [index, command] of commands.entries()) {
    const order = { name: `setup-${index + 1}`, purpose: 'setup', command, timeoutMs: Math.max(1, leftMs) } as const
    const ended = await runIn(context, clone, order, signal)
    if (ended.kind !== 'passed') return ended
    leftMs -= ended.durationMs
  }
  return null
}

const OUTPUT_BYTES_MAX = 16 * 1024

function cancelled(name: string): Problem {
  const hint = 'It runs again with the next start.'
  return problem({ code: 'cancelled', message: `${name} was cancelled.`, hint, retry: 'later' })
}

function notStarted(name: string, folder: string, message: string): Problem {
  const code = /\b(?:ENOSPC|EDQUOT|EROFS)\b/.exec(message)?.[0] ?? ''
  const disk = diskProblem(code, folder, message)
  if (disk !== null) return disk
  const hint = 'Fix what the message names, then retry the task.'
  return problem({
    code: 'command-not-started',
    message: `${name} could not be started: ${message}`,
    hint,
    retry: 'later',
  })
}

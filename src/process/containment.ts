import { findProgram } from './find-program.ts'
import { type Guard, startGuard } from './guard.ts'
import { type NotStarted, notStarted } from './not-started.ts'
import { runCommand } from './run-command.ts'

/** What sees to it that no started process outlives the engine. */
export type Containment =
  | { readonly kind: 'bwrap'; readonly file: string }
  | { readonly kind: 'guard'; readonly guard: Guard }

/** Finds the best containment this machine allows, by trying it; or only the one asked for. */
export async function probeContainment(wish: {
  readonly env: Readonly<Record<string, string>>
  readonly use?: Containment['kind'] | 'best'
  /** The guard's compiled program, when it is not at its usual place. */
  readonly guardFile?: string
}): Promise<Containment | NotStarted> {
  const { env, use = 'best', guardFile } = wish
  if (use !== 'guard') {
    const file = await usableBwrap(env)
    if (file !== null) return { kind: 'bwrap', file }
    if (use === 'bwrap')
      return notStarted('bwrap is not installed, or this machine does not let it make a pid namespace.')
  }
  const guard = startGuard(guardFile === undefined ? {} : { file: guardFile })
  return 'kind' in guard ? guard : { kind: 'guard', guard }
}

/** A program and its arguments. */
export type Words = readonly [string, ...string[]]

/** The command that runs a program under a containment. */
export function containedCommand(containment: Containment, cwd: string, command: Words): Words {
  return containment.kind === 'guard' ? command : [containment.file, ...BWRAP_ARGS, '--chdir', cwd, '--', ...command]
}

// A pid namespace of its own, and otherwise the machine as it is: the end of bwrap is the end of everything in it.
const BWRAP_ARGS = ['--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc', '--die-with-parent']
const PROBE_MS_MAX = 5_000

async function usableBwrap(env: Readonly<Record<string, string>>): Promise<string | null> {
  const file = findProgram('bwrap', env, '/')
  if (file === null) return null
  const args = [...BWRAP_ARGS, '--', '/bin/sh', '-c', 'exit 0']
  const tried = await runCommand({ file, args, cwd: '/', env, timeoutMs: PROBE_MS_MAX })
  return tried.kind === 'ended' && tried.exitCode === 0 ? file : null
}

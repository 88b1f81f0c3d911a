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

/** The command of a process that waits under a containment, in a folder, to do what the first line of its input says; `$@` are the given words. */
export function waitingCommand(containment: Containment, cwd: string, words: readonly string[] = []): Words {
  if (containment.kind === 'guard') return ['/bin/sh', '-c', WAIT, 'sh', ...words]
  const script = `${WHEN_TIED}\n${WAIT}`
  return [containment.file, ...BWRAP_ARGS, '--chdir', cwd, '--', '/bin/sh', '-c', script, 'sh', ...words]
}

/** The file of a process that waits by which it has another pipe to us; under bwrap, an empty line comes out of it first. */
export const THIRD = 3

/** How the line says a new line within a text. */
export const NEWLINE = '$longhaul_newline'

// When the pipe from us closes there is no line, and it ends: with us, whatever becomes of us. Reading a line takes nothing
// of what comes after it.
const WAIT = `longhaul_newline='
'
IFS= read -r longhaul_line && eval "$longhaul_line"`

// bwrap ties itself to us, and the first process of its namespace to bwrap: each after it has begun, and without asking
// whether the other is still there. That first process sleeps once it is tied; then an empty line to us, which nobody can
// write when we are gone, tells that all of this was in time.
const WHEN_TIED = `while read -r longhaul_stat < /proc/1/stat; do case \${longhaul_stat##*) } in S*) break ;; esac; done
echo >&${THIRD} || exit 125`

// A pid namespace of its own, and otherwise the machine as it is: the end of bwrap is the end of everything in it.
const BWRAP_ARGS = ['--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc', '--die-with-parent']
const PROBE_MS_MAX = 5_000

/** Where bwrap is, if what we need of it works here. */
async function usableBwrap(env: Readonly<Record<string, string>>): Promise<string | null> {
  const file = findProgram('bwrap', env, '/')
  if (file === null) return null
  const args = ['-c', `exec "$@" ${THIRD}>&1`, 'sh', ...waitingCommand({ kind: 'bwrap', file }, '/')]
  const tried = await runCommand({ file: '/bin/sh', args, cwd: '/', env, input: 'exit 0\n', timeoutMs: PROBE_MS_MAX })
  return tried.kind === 'ended' && tried.exitCode === 0 ? file : null
}

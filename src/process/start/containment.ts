import { NAMESPACE_MARK } from '../end/end-orphaned-namespaces.ts'
import type { Guard } from '../end/guard.ts'
import { type Listener, OPEN_LISTENERS, openingCommand } from './listeners.ts'

/** Mechanism that ends every started process when the engine dies, and that limits what it can reach. */
export type Containment = BwrapContainment | { readonly kind: 'guard'; readonly guard: Guard }

/** Namespaces that bwrap creates for one program. */
export interface BwrapContainment {
  readonly kind: 'bwrap'
  readonly file: string
  /** Options of bwrap: namespaces, and the file system as the program sees it. */
  readonly options: readonly string[]
  /** Ports that the program finds open on its own loopback address, and who answers there. */
  readonly listeners: readonly Listener[]
}

/** Returns a containment that only ends processes; the file system and the network stay as they are. */
export function pidNamespace(file: string): BwrapContainment {
  return { kind: 'bwrap', file, options: ['--dev-bind', '/', '/', ...OWN_PROCESSES], listeners: [] }
}

/** Options of bwrap that give a program a pid namespace of its own, which ends with the engine. */
export const OWN_PROCESSES = ['--unshare-pid', '--proc', '/proc', '--die-with-parent'] as const

/** A program and its arguments. */
export type Words = readonly [string, ...string[]]

/** A program to start in a folder under a containment. */
export interface ProgramToContain {
  readonly command: Words
  readonly containment: Containment
  readonly cwd: string
  /** True when the program keeps the control pipe, which delivers an empty line first. */
  readonly keepsControlPipe: boolean
}

/** File descriptor of the pipe between the engine and the shell that becomes the program. */
export const CONTROL_PIPE = 3

/** Builds the command that waits on the control pipe for a line from the engine, then becomes the program. */
export function containedCommand({ command, containment, cwd, keepsControlPipe }: ProgramToContain): Words {
  const become = keepsControlPipe ? 'exec "$@"' : `exec "$@" ${CONTROL_PIPE}>&-`
  if (containment.kind === 'guard') return shell([ASK_ENGINE, become], command)
  const { file, options, listeners } = containment
  const opening = listeners.length === 0 ? [] : [OPEN_LISTENERS]
  const inside = shell([WAIT_UNTIL_TIED, ...opening, ASK_ENGINE, become], [...openingCommand(listeners), ...command])
  return [file, ...options, '--chdir', cwd, '--', ...inside]
}

function shell(script: readonly string[], args: readonly string[]): Words {
  return ['/bin/sh', '-c', script.join('\n'), NAMESPACE_MARK, ...args]
}

// The first process of the namespace asks the kernel to end it with bwrap, then sleeps.
const WAIT_UNTIL_TIED = `while read -r longhaul_line < /proc/1/stat
do case \${longhaul_line##*) } in S*) break ;; esac; done`

// Writing fails and reading ends when the engine is gone.
const ASK_ENGINE = `{ echo >&${CONTROL_PIPE} && read -r longhaul_line <&${CONTROL_PIPE}; } || exit 125`

import { NAMESPACE_MARK } from '../end/end-orphaned-namespaces.ts'
import type { Guard } from '../end/guard.ts'

/** Mechanism that ends every started process when the engine dies. */
export type Containment =
  | { readonly kind: 'bwrap'; readonly file: string }
  | { readonly kind: 'guard'; readonly guard: Guard }

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
  const script = [...(containment.kind === 'bwrap' ? [WAIT_UNTIL_TIED] : []), ASK_ENGINE, become].join('\n')
  const shell: Words = ['/bin/sh', '-c', script, NAMESPACE_MARK, ...command]
  return containment.kind === 'bwrap' ? [containment.file, ...bwrapArguments(cwd), '--', ...shell] : shell
}

// The first process of the namespace asks the kernel to end it with bwrap, then sleeps.
const WAIT_UNTIL_TIED = `while read -r longhaul_line < /proc/1/stat
do case \${longhaul_line##*) } in S*) break ;; esac; done`

// Writing fails and reading ends when the engine is gone.
const ASK_ENGINE = `{ echo >&${CONTROL_PIPE} && read -r longhaul_line <&${CONTROL_PIPE}; } || exit 125`

// A pid namespace of its own, on the file system and network as they are: the end of bwrap ends everything in it.
function bwrapArguments(cwd: string): readonly string[] {
  return ['--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc', '--die-with-parent', '--chdir', cwd]
}

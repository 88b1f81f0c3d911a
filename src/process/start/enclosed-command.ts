import { NAMESPACE_MARK } from '../end/end-orphaned-namespaces.ts'
import type { Containment } from './containment.ts'
import type { Command } from './run-command.ts'

/** Returns a short command that runs under a containment; it ends with the process that starts it. */
export function enclosedCommand(command: Command, containment: Containment): Command {
  if (containment.kind === 'guard') return command
  const { file, args, cwd } = command
  const marked = ['/bin/sh', '-c', 'exec "$@"', NAMESPACE_MARK, file, ...args]
  return {
    ...command,
    file: containment.file,
    args: [...containment.options, '--chdir', cwd, '--', ...marked],
    cwd: '/',
  }
}

import { spawnSync } from 'node:child_process'
import { findProgram } from './find-program.ts'

/** A program and its arguments. */
export type Command = readonly [string, ...string[]]

/** A command that the system ends when we die, from its first moment on; as it is where the system cannot do that. */
export function withParent(command: Command): Command {
  return setting('KILL', command)
}

/** A command for which that no longer holds. */
export function withoutParent(command: Command): Command {
  return setting('clear', command)
}

let known: string | undefined

function setting(signal: string, command: Command): Command {
  known ??= findSetter()
  return known === NONE ? command : [known, '--pdeathsig', signal, '--', ...command]
}

const NONE = ''

function findSetter(): string {
  const file = findProgram('setpriv', {}, '/') ?? NONE
  if (file === NONE) return NONE
  const tried = spawnSync(file, ['--pdeathsig', 'KILL', '--', '/bin/sh', '-c', 'exit 0'], { stdio: 'ignore', env: {} })
  return tried.status === 0 ? file : NONE
}

import type { Command } from './run-command.ts'
import { isExportable, quoted } from './shell-text.ts'

/** A command that a shell can run together with some that have to succeed before it. */
export interface ShellCommand extends Command {
  /** Arguments for the same program, one after another; of what it prints only complaints are kept. */
  readonly first?: readonly (readonly string[])[]
}

/** The exit code of a shell line whose program could not be started at all. */
export const NOT_STARTED_CODES: readonly number[] = [126, 127]

/** Whether a command can be written as a line for a shell. */
export function fitsShell({ file, args, cwd, env, first = [], input = '' }: ShellCommand): boolean {
  const texts = [file, cwd, ...args, ...first.flat(), ...Object.values(env)]
  return (
    input.length <= INPUT_CHARACTERS_MAX &&
    typeof input === 'string' &&
    Object.keys(env).every(isExportable) &&
    !texts.some((text) => text.includes('\0'))
  )
}

/** A line that runs a command and then writes the mark, with the exit code on stdout and bare on stderr. */
export function shellLine({ file, args, cwd, env, first = [], input }: ShellCommand, mark: string): string {
  const given = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`)
  const program = [
    `cd ${quoted(cwd)} || exit 126`,
    // `cd` exports these two, whatever the shell was given.
    'unset PWD OLDPWD',
    ...(given.length === 0 ? [] : [`export ${given.join(' ')}`]),
    ...first.map((before) => `${[file, ...before].map(quoted).join(' ')} >/dev/null || exit`),
    `exec ${[file, ...args].map(quoted).join(' ')}`,
  ].join('; ')
  const [before, after] = input === undefined ? ['', ' </dev/null'] : [`printf %b ${escaped(String(input))} | `, '']
  return `${before}( ${program} )${after}; printf '${mark} %s\\n' $?; printf ${mark} >&2\n`
}

// More than this goes to the command's own stdin.
const INPUT_CHARACTERS_MAX = 65_536

/** What `printf %b` prints as exactly this text. */
function escaped(text: string): string {
  return quoted(text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0000'))
}

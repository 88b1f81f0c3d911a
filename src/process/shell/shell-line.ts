import type { Command } from '../start/run-command.ts'

/** Exit codes of a shell line whose program could not be started at all. */
export const NOT_STARTED_CODES: readonly number[] = [126, 127]

/** True when a command can be written as a shell line. */
export function fitsShell({ file, args, cwd, env, input = '', inputFile, outputFile }: Command): boolean {
  const texts = [file, cwd, ...args, ...Object.values(env)]
  return (
    inputFile === undefined &&
    outputFile === undefined &&
    input.length <= INPUT_CHARACTERS_MAX &&
    typeof input === 'string' &&
    Object.keys(env).every(isExportable) &&
    !texts.some((text) => text.includes('\0'))
  )
}

/** Writes a line that runs a command and then prints the mark, with the exit code on stdout and bare on stderr. */
export function shellLine({ file, args, cwd, env, input }: Command, mark: string): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`)
  const program = [
    `cd ${quoted(cwd)} || exit 126`,
    // `cd` exports these two by itself.
    'unset PWD OLDPWD',
    ...(variables.length === 0 ? [] : [`export ${variables.join(' ')}`]),
    `exec ${[file, ...args].map(quoted).join(' ')}`,
  ].join('; ')
  const [before, after] = input === undefined ? ['', ' </dev/null'] : [`printf %b ${escaped(String(input))} | `, '']
  return `${before}( ${program} )${after}; printf '${mark} %s\\n' $?; printf ${mark} >&2\n`
}

// Longer input goes to the command's own stdin.
const INPUT_CHARACTERS_MAX = 65_536

// Some of these cannot be set at all; the others change how the rest of the line is read.
const OF_SHELLS = /^(UID|EUID|PPID|OPTIND|GROUPS|SHELLOPTS|BASH\w*|POSIXLY_CORRECT|LINENO|IFS|PWD|OLDPWD|SHLVL|_)$/

function isExportable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !OF_SHELLS.test(name)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Escapes a text for `printf %b`. */
function escaped(text: string): string {
  return quoted(text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0000'))
}

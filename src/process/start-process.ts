import { type ChildProcess, spawn } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { recordedCommand, recordingText } from './pid-file.ts'
import { isExportable, quoted } from './shell-text.ts'
import { NEWLINE, takeWaiting } from './waiting-process.ts'
import { type Command, withoutParent, withParent } from './with-parent.ts'

/** A process to start. It leads a session of its own and has pipes for what it prints. */
export interface ProcessToStart {
  readonly command: Command
  /** Where its start is recorded, before its first instruction; null: nowhere. Without the record it does not run. */
  readonly pidFile: string | null
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Whether its stdin is a pipe. */
  readonly takesInput: boolean
  /** Whether it has a pipe to us as its file 3. */
  readonly hasThird: boolean
  /** Whether the system ends it when we die. A guard has to find what it started, and needs it alive for that. */
  readonly endsWithUs: boolean
}

/** Starts a process: one that waits becomes it, or else it is made now. */
export function startProcess(start: ProcessToStart): ChildProcess {
  const line = becomingLine(start)
  const child = line === null ? null : takeWaiting()
  if (child === null) return makeNow(start)
  child.stdin?.write(line)
  if (!start.takesInput) child.stdin?.end()
  if (!start.hasThird) child.stdio[3]?.destroy()
  told.publish(start)
  return child
}

// From here on it is found in its folder. If the engine has died by now, the next one may have looked there already.
// What the shell itself calls its parent may already be who took it over.
const ONLY_FOR_ITS_MAKER = `read -r _ _ _ longhaul_parent _ < "/proc/$$/stat"; [ "$longhaul_parent" = ${process.pid} ] || exit 125`
// It is read byte by byte.
const LINE_CHARACTERS_MAX = 16_384
// Node tells of its own child processes in the same way: for who measures.
const told = channel('longhaul:command')

function makeNow({ command, pidFile, cwd, env, takesInput, hasThird, endsWithUs }: ProcessToStart): ChildProcess {
  const stdio = [takesInput ? 'pipe' : 'ignore', 'pipe', 'pipe', hasThird ? 'pipe' : 'ignore'] as const
  const recorded = pidFile === null ? command : recordedCommand(pidFile, command)
  const checked = ['/bin/sh', '-c', `${ONLY_FOR_ITS_MAKER}; exec "$@"`, 'sh', ...recorded] as const
  const [first, ...rest] = endsWithUs ? withParent(checked) : checked
  const child = spawn(first, rest, { cwd, env, detached: true, stdio: [...stdio] })
  // A failed start shows as a missing pid; a failed kill is found by looking for survivors.
  child.on('error', () => {})
  return child
}

/** What makes a waiting shell this process; null for what cannot be written in one line. */
function becomingLine(start: ProcessToStart): string | null {
  const { command, pidFile, cwd, env, takesInput, hasThird, endsWithUs } = start
  if (!Object.keys(env).every(isExportable)) return null
  const given = Object.entries(env).map(([name, value]) => `${name}=${word(value)}`)
  const program = endsWithUs ? command : withoutParent(command)
  const closed = `${takesInput ? '' : ' </dev/null'}${hasThird ? '' : ' 3>&-'}`
  const line = [
    `cd ${word(cwd)} || exit 126`,
    ONLY_FOR_ITS_MAKER,
    ...(pidFile === null ? [] : [recordingText(word(pidFile))]),
    // `cd` exports these two, whatever the shell was given.
    'unset PWD OLDPWD',
    ...(given.length === 0 ? [] : [`export ${given.join(' ')}`]),
    `exec ${program.map(word).join(' ')}${closed}\n`,
  ].join('; ')
  return line.length > LINE_CHARACTERS_MAX || line.includes('\0') ? null : line
}

function word(text: string): string {
  return quoted(text).replaceAll('\n', `'"${NEWLINE}"'`)
}

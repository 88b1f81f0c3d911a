/** Terminal of a person: output, keys and job control. */
export interface Terminal {
  size(): Size
  write(text: string): void
  /** Reads keys one by one, without echo; returns a function that releases the terminal. */
  take(listener: TerminalListener): () => void
  /** Runs `act` before this process ends in any way but kill -9; returns a function that cancels this. */
  onExit(act: () => void): () => void
  /** Stops this process as Ctrl-Z does; calls `back` if the kernel did not stop it. */
  stop(back: () => void): void
  /** Runs `act` when this process continues after a stop; returns a function that cancels this. */
  onBack(act: () => void): () => void
}

/** Size of a terminal in characters. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface TerminalListener {
  typed(text: string): void
  resized(): void
  /** Called when the terminal's input has ended. */
  lost(): void
}

const NOT_STOPPED_MS = 200
const DEFAULT_SIZE: Size = { columns: 80, rows: 24 }

/** Returns the terminal of a process, or null when stdin or stdout is not one. */
export function terminalOf(process: NodeJS.Process): Terminal | null {
  const { stdout } = process
  // Reading process.stdin opens it, so the cheaper check comes first.
  if (!stdout.isTTY || !process.stdin.isTTY) return null
  return {
    size: () => ({ columns: stdout.columns || DEFAULT_SIZE.columns, rows: stdout.rows || DEFAULT_SIZE.rows }),
    write: (text) => void stdout.write(text),
    take: (listener) => take(process, listener),
    onExit(act) {
      // Node prints an uncaught exception right after this; the normal screen has to be back by then.
      process.on('exit', act).on('uncaughtExceptionMonitor', act)
      return () => void process.off('exit', act).off('uncaughtExceptionMonitor', act)
    },
    stop(back) {
      // Signals the whole process group, as a terminal does. Without a shell to resume it, the kernel stops nothing.
      process.kill(0, 'SIGTSTP')
      setTimeout(back, NOT_STOPPED_MS)
    },
    onBack(act) {
      process.on('SIGCONT', act)
      return () => void process.off('SIGCONT', act)
    },
  }
}

function take({ stdin, stdout }: NodeJS.Process, { typed, resized, lost }: TerminalListener): () => void {
  stdin.setRawMode(true).setEncoding('utf8')
  stdin.on('data', typed).on('end', lost).on('error', lost).resume()
  stdout.on('resize', resized)
  return () => {
    stdout.off('resize', resized)
    stdin.off('data', typed).off('end', lost).off('error', lost).pause()
    try {
      stdin.setRawMode(false)
    } catch {
      // The terminal is gone; there is no mode to restore.
    }
  }
}

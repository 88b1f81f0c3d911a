/** A terminal: what it can show, and what a person does there. */
export interface Terminal {
  size(): Size
  write(text: string): void
  /** Gets keys one by one, unseen, until it is let go; returns how. */
  take(listener: TerminalListener): () => void
  /** What is to be done last, however this process ends but by kill -9; returns how to call it off. */
  onExit(act: () => void): () => void
  /** Stops this process as Ctrl-Z does, and calls `back` should nobody have taken notice. */
  stop(back: () => void): void
  /** What is to be done when this process was stopped and goes on; returns how to call it off. */
  onBack(act: () => void): () => void
}

/** What a terminal can show. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface TerminalListener {
  typed(text: string): void
  resized(): void
  /** Nobody can type any more. */
  lost(): void
}

const UNNOTICED_MS = 200
const USUAL: Size = { columns: 80, rows: 24 }

/** The terminal of a process; null: its input or its output is something else. */
export function terminalOf(process: NodeJS.Process): Terminal | null {
  const { stdout } = process
  // Looking at stdin opens it, so the cheaper question comes first.
  if (!stdout.isTTY || !process.stdin.isTTY) return null
  return {
    size: () => ({ columns: stdout.columns || USUAL.columns, rows: stdout.rows || USUAL.rows }),
    write: (text) => void stdout.write(text),
    take: (listener) => take(process, listener),
    onExit(act) {
      // An exception is told right after this, and should be seen where people look.
      process.on('exit', act).on('uncaughtExceptionMonitor', act)
      return () => void process.off('exit', act).off('uncaughtExceptionMonitor', act)
    },
    stop(back) {
      // The whole group, as a terminal does it. Without a shell that could bring us back, the kernel stops nothing.
      process.kill(0, 'SIGTSTP')
      setTimeout(back, UNNOTICED_MS)
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
      // The terminal is gone, and needs nothing any more.
    }
  }
}

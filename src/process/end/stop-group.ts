import type { ChildProcess } from 'node:child_process'

/** Reason why a command was stopped before its own end. */
type StopReason = 'timeout' | 'overflow' | 'abort'

/** Stops a process with its whole group, once. */
export interface GroupStopper {
  readonly because: (reason: StopReason) => void
  /** Cleans up after the process has ended; returns why it was stopped, if it was. */
  readonly clear: () => StopReason | null
}

/** Limits that stop a process from outside. */
export interface StopLimits {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const TIMEOUT_MS = 600_000
const KILL_AFTER_MS = 2_000

/** Stops the group of a process that leads it, on request, at its time limit or on a signal. */
export function groupStopper(child: ChildProcess, { timeoutMs = TIMEOUT_MS, signal }: StopLimits): GroupStopper {
  let why: StopReason | null = null
  let killTimer: NodeJS.Timeout | undefined
  const kill = (): void => {
    signalGroup(child, 'SIGKILL')
    // A process that left the group may still hold these open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  const because = (reason: StopReason): void => {
    if (why !== null) return
    why = reason
    // SIGTERM first: git then removes its lock files.
    signalGroup(child, 'SIGTERM')
    killTimer = setTimeout(kill, KILL_AFTER_MS)
  }
  const timer = setTimeout(() => because('timeout'), timeoutMs)
  const abort = (): void => because('abort')
  signal?.addEventListener('abort', abort, { once: true })
  const clear = (): StopReason | null => {
    clearTimeout(timer)
    clearTimeout(killTimer)
    signal?.removeEventListener('abort', abort)
    return why
  }
  return { because, clear }
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // the whole group has ended already
  }
}

import type { ChildProcess } from 'node:child_process'
import { isShellBusy } from './run-in-shell.ts'
import { eachHandle, spawnShell } from './shell.ts'
import { withParent } from './with-parent.ts'

// Making a process takes Node milliseconds (see run-in-shell.ts). So some are made beforehand: nothing but exec lies
// between what waits and what is wanted.

/** A process that waits to become another: it does what the first line of its input says. Null: there is none. */
export function takeWaiting(): ChildProcess | null {
  const child = waiting.pop()
  refillSoon()
  if (child === undefined) return null
  if (!isThere(child)) return takeWaiting()
  eachHandle(child, (handle) => handle.ref())
  return child
}

/** Makes one more process that waits; while it does, it keeps nobody from ending. @internal */
export function makeWaiting(): void {
  const child = spawnShell(withParent(['/bin/sh', '-c', WAIT]), ['pipe', 'pipe', 'pipe', 'pipe'])
  if (child === null) return
  // One that has died says so by its end.
  child.stdin?.on('error', () => {})
  eachHandle(child, (handle) => handle.unref())
  waiting.push(child)
}

/** Makes as many as there should be. */
export function fillWaiting(): void {
  for (let missing = WAITING_MAX - waiting.length; missing > 0; missing -= 1) makeWaiting()
}

/** Ends what still waits, and sees it gone. */
export async function endWaiting(): Promise<void> {
  clearTimeout(refilling)
  refilling = undefined
  await Promise.all(waiting.splice(0).map(endUnused))
}

/** How a line says a new line within a text. */
export const NEWLINE = '$longhaul_newline'

const WAITING_MAX = 4
const REFILL_MS = 50
const REFILL_TRIES_MAX = 20
const waiting: ChildProcess[] = []
let refilling: NodeJS.Timeout | undefined

// When the pipe from us closes there is no line, and it ends: with us, whatever becomes of us. Reading a line takes nothing
// of what comes after it.
const WAIT = `longhaul_newline='
'
IFS= read -r longhaul_line && eval "$longhaul_line"`

// Later, one at a time, and if possible when nothing waits for us: everything else stands still meanwhile.
function refillSoon(tries = 1): void {
  refilling ??= setTimeout(() => {
    refilling = undefined
    const isMade = waiting.length < WAITING_MAX && (!isShellBusy() || tries >= REFILL_TRIES_MAX)
    if (isMade) makeWaiting()
    if (waiting.length < WAITING_MAX) refillSoon(isMade ? 1 : tries + 1)
  }, REFILL_MS).unref()
}

async function endUnused(child: ChildProcess): Promise<void> {
  if (!isThere(child)) return
  eachHandle(child, (handle) => handle.ref())
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.stdin?.end()
  await gone
}

function isThere({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

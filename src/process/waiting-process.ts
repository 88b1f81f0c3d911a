import type { ChildProcess } from 'node:child_process'
import { type Containment, containedCommand, type Words } from './containment.ts'
import { isShellBusy } from './run-in-shell.ts'
import { eachHandle, spawnShell } from './shell.ts'

// Making a process takes Node milliseconds (see run-in-shell.ts), and bwrap takes some, too. So some are made beforehand:
// nothing but exec lies between what waits and what is wanted.

/** A process that waits under a containment to become another. Null: the system has no room for one. */
export function takeWaiting(containment: Containment): ChildProcess | null {
  const child = waitingUnder(containment).pop()
  refillSoon(containment)
  if (child === undefined) return make(containment)
  if (!isThere(child)) return takeWaiting(containment)
  eachHandle(child, (handle) => handle.ref())
  return child
}

/** Makes as many as there should be; while they wait, they keep nobody from ending. */
export function fillWaiting(containment: Containment): void {
  for (let missing = WAITING_MAX - waitingUnder(containment).length; missing > 0; missing -= 1) add(containment)
}

/** Ends what still waits, and sees it gone. */
export async function endWaiting(): Promise<void> {
  clearTimeout(refilling)
  refilling = undefined
  const all = [...waiting.values()].flat()
  waiting.clear()
  await Promise.all(all.map(endUnused))
}

/** The command of a process that waits, in a folder, to do what the first line of its input says; `$@` are the given words. */
export function waitingCommand(containment: Containment, cwd: string, words: readonly string[] = []): Words {
  const script = containment.kind === 'bwrap' ? `${WHEN_TIED}\n${WAIT}` : WAIT
  return containedCommand(containment, cwd, ['/bin/sh', '-c', script, 'sh', ...words])
}

/** The file of a process that waits by which it has another pipe to us; under bwrap, an empty line comes out of it first. */
export const THIRD = 3

/** How a line says a new line within a text. */
export const NEWLINE = '$longhaul_newline'

const WAITING_MAX = 4
const REFILL_MS = 50
const REFILL_TRIES_MAX = 20
const waiting = new Map<Containment, ChildProcess[]>()
let refilling: NodeJS.Timeout | undefined

// When the pipe from us closes there is no line, and it ends: with us, whatever becomes of us. Reading a line takes nothing
// of what comes after it.
const WAIT = `longhaul_newline='
'
IFS= read -r longhaul_line && eval "$longhaul_line"`

// bwrap ties itself to us, and the first process of its namespace to bwrap: each after it has begun, and without asking
// whether the other is still there. That first process sleeps once it is tied; then an empty line to us, which nobody can
// write when we are gone, tells that all of this was in time.
const WHEN_TIED = `while read -r _ _ longhaul_state _ < /proc/1/stat && [ "$longhaul_state" != S ]; do :; done
echo >&${THIRD} || exit 125`

function waitingUnder(containment: Containment): ChildProcess[] {
  const there = waiting.get(containment) ?? []
  waiting.set(containment, there)
  return there
}

function make(containment: Containment): ChildProcess | null {
  const child = spawnShell(waitingCommand(containment, '/'), ['pipe', 'pipe', 'pipe', 'pipe'])
  // One that has died says so by its end.
  child?.stdin?.on('error', () => {})
  return child
}

function add(containment: Containment): void {
  const child = make(containment)
  if (child === null) return
  eachHandle(child, (handle) => handle.unref())
  waitingUnder(containment).push(child)
}

// Later, one at a time, and if possible when nothing waits for us: everything else stands still meanwhile.
function refillSoon(containment: Containment, tries = 1): void {
  refilling ??= setTimeout(() => {
    refilling = undefined
    const isWanted = () => waitingUnder(containment).length < WAITING_MAX
    const isMade = isWanted() && (!isShellBusy() || tries >= REFILL_TRIES_MAX)
    if (isMade) add(containment)
    if (isWanted()) refillSoon(containment, isMade ? 1 : tries + 1)
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

import type { Containment } from './containment.ts'
import { openShells } from './run-in-shell.ts'
import { fillWaiting } from './waiting-process.ts'

/** Makes what commands and agents are started from, while this process is small and nobody waits. */
export function makeReady(containment: Containment): void {
  openShells(SHELLS)
  fillWaiting(containment)
}

// About as many commands as a checkpoint and a landing have under way together.
const SHELLS = 6

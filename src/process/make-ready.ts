import { openShells } from './run-in-shell.ts'
import { fillWaiting } from './waiting-process.ts'

/** Makes what commands and agents are started from, while this process is small and nobody waits. */
export function makeReady(): void {
  openShells(SHELLS)
  fillWaiting()
}

// About as many commands as a checkpoint and a landing have under way together.
const SHELLS = 6

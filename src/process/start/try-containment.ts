import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Containment } from './containment.ts'
import { startProcess } from './start-process.ts'

// Generous: a machine under load must not lose its protection over a slow start.
const TRY_MS_MAX = 30_000

/** Starts a program that does nothing under a containment; returns what went wrong, or null. */
export async function tryContainment(
  containment: Containment,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  try {
    const child = startProcess({
      command: ['/bin/sh', '-c', 'exit 0'],
      containment,
      cwd: '/',
      env,
      takesInput: false,
      keepsControlPipe: false,
      record: () => {},
    })
    const impatient = setTimeout(() => child.kill('SIGKILL'), TRY_MS_MAX)
    child.stdout?.resume()
    const [[exitCode], complaint] = await Promise.all([
      once(child, 'exit'),
      child.stderr === null ? '' : text(child.stderr),
    ])
    clearTimeout(impatient)
    return exitCode === 0 ? null : complaint.trim() || `it ended with exit code ${exitCode}`
  } catch (cause) {
    return String(cause) // the system refused to start it
  }
}

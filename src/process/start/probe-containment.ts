import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { packageFile } from '../../package/package-file.ts'
import { startGuard } from '../end/guard.ts'
import { type Containment, pidNamespace } from './containment.ts'
import { findProgram } from './find-program.ts'
import { type NotStarted, notStarted } from './not-started.ts'
import { startProcess } from './start-process.ts'

/** Finds the best containment that works on this machine, or the one asked for, by trying it. */
export async function probeContainment(wish: {
  readonly env: Readonly<Record<string, string>>
  readonly use?: Containment['kind'] | 'best'
  /** Compiled program of the guard, when it is not at its usual place. */
  readonly guardFile?: string
}): Promise<Containment | NotStarted> {
  const { env, use = 'best', guardFile = packageFile('dist/process/end/guard-main.js') } = wish
  if (use !== 'guard') {
    const file = findProgram('bwrap', env, '/')
    if (file !== null && (await isUsable(pidNamespace(file), env))) return pidNamespace(file)
    if (use === 'bwrap')
      return notStarted('bwrap is not installed, or this machine does not let it make a pid namespace.')
  }
  if (!existsSync(guardFile)) return notStarted(`The guard program ${guardFile} is missing: build the project first.`)
  const guard = startGuard(guardFile)
  return guard === null ? notStarted('The system refused to start the guard process.') : { kind: 'guard', guard }
}

// Generous: a machine under load must not lose its containment over a slow start.
const PROBE_MS_MAX = 30_000

async function isUsable(containment: Containment, env: Readonly<Record<string, string>>): Promise<boolean> {
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
    for (const pipe of [child.stdout, child.stderr]) pipe?.resume()
    const impatient = setTimeout(() => child.kill('SIGKILL'), PROBE_MS_MAX)
    const [exitCode] = await once(child, 'exit')
    clearTimeout(impatient)
    return exitCode === 0
  } catch {
    return false // the system refused to start it
  }
}

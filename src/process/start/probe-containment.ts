import { existsSync } from 'node:fs'
import { packageFile } from '../../package/package-file.ts'
import { startGuard } from '../end/guard.ts'
import { type Containment, pidNamespace } from './containment.ts'
import { findProgram } from './find-program.ts'
import { type NotStarted, notStarted } from './not-started.ts'
import { tryContainment } from './try-containment.ts'

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
    if (file !== null && (await tryContainment(pidNamespace(file), env)) === null) return pidNamespace(file)
    if (use === 'bwrap')
      return notStarted('bwrap is not installed, or this machine does not let it make a pid namespace.')
  }
  if (!existsSync(guardFile)) return notStarted(`The guard program ${guardFile} is missing: build the project first.`)
  const guard = startGuard(guardFile)
  return guard === null ? notStarted('The system refused to start the guard process.') : { kind: 'guard', guard }
}

import { afterAll } from 'vitest'
import { type Containment, probeContainment } from '../../src/process/containment.ts'
import { ensureBuilt } from './built.ts'

/** What every started program of a test gets. */
export const TEST_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8' }

/** Every containment that this machine allows; ended with the test file. */
export async function useContainments(): Promise<readonly Containment[]> {
  ensureBuilt()
  const probed = await Promise.all((['bwrap', 'guard'] as const).map((use) => probeContainment({ env: TEST_ENV, use })))
  const found = probed.flatMap((containment) => (containment.kind === 'not-started' ? [] : [containment]))
  afterAll(async () => {
    for (const containment of found) if (containment.kind === 'guard') await containment.guard.end()
  })
  return found
}

import { afterAll } from 'vitest'
import { noSandbox } from '../../src/adapters/sandboxes/no-sandbox.ts'
import type { Sandbox } from '../../src/ports/sandbox.ts'
import type { Containment } from '../../src/process/start/containment.ts'
import { probeContainment } from '../../src/process/start/probe-containment.ts'
import { testEnvironment } from '../environment.ts'
import { ensureBuilt } from './built.ts'

/** Environment of programs that tests start. */
export const TEST_ENV = testEnvironment('/nonexistent')

/** Returns every containment that works on this machine; they end with the test file. */
export async function useContainments(): Promise<readonly Containment[]> {
  const containments = await Promise.all([probe('bwrap'), probe('guard')])
  return containments.filter((containment) => containment !== null)
}

/** Returns the guard, or the best containment of this machine; it ends with the test file. */
export async function useContainment(kind: 'guard' | 'best' = 'best'): Promise<Containment> {
  const containment = await probe(kind)
  if (containment === null) throw new Error('Neither bwrap nor the guard works here.')
  return containment
}

/** Returns a sandbox that limits nothing. */
export function unlimited(containment: Containment): Sandbox {
  return noSandbox(containment, 'this test needs none')
}

async function probe(use: Containment['kind'] | 'best'): Promise<Containment | null> {
  ensureBuilt()
  const containment = await probeContainment({ env: TEST_ENV, use })
  if (containment.kind === 'not-started') return null
  if (containment.kind === 'guard') afterAll(() => containment.guard.end())
  return containment
}

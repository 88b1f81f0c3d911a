import { afterAll } from 'vitest'
import type { Containment } from '../../src/process/containment.ts'
import { probeContainment } from '../../src/process/probe-containment.ts'
import { testEnvironment } from '../environment.ts'
import { ensureBuilt } from './built.ts'

/** What every started program of a test gets. */
export const TEST_ENV = testEnvironment('/nonexistent')

/** Every containment that this machine allows; ended with the test file. */
export async function useContainments(): Promise<readonly Containment[]> {
  const found = await Promise.all([probe('bwrap'), probe('guard')])
  return found.filter((containment) => containment !== null)
}

/** The containment of a kind, or the best that this machine allows; ended with the test file. */
export async function useContainment(kind: 'guard' | 'best' = 'best'): Promise<Containment> {
  const containment = await probe(kind)
  if (containment === null) throw new Error('There is neither bwrap nor a guard.')
  return containment
}

async function probe(use: Containment['kind'] | 'best'): Promise<Containment | null> {
  ensureBuilt()
  const containment = await probeContainment({ env: TEST_ENV, use })
  if (containment.kind === 'not-started') return null
  if (containment.kind === 'guard') afterAll(() => containment.guard.end())
  return containment
}

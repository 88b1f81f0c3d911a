import { isDead } from '../world/sim-gate.ts'
import type { Checker } from './checker.ts'

/** Nothing reaches the line while its gate would pass anything. */
export const deadChecksRefused: Checker = ({ world }) => {
  const [gate] = world.scenario.settings.gates ?? []
  if (gate === undefined || gate.canary.when === 'never') return []
  return world.trace.advances
    .filter(({ to }) => isDead(world.repository.filesOf(to)))
    .map(({ to }) => `${to} reached the line with a dead check`)
}

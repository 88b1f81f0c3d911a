import { type Problem, problem } from '../../core/model/problem.ts'
import { nearestName } from '../../core/reading/nearest-name.ts'

/** Returns a problem for a driver name that this version does not have, or null for one that it has. */
export function unknownDriver(name: string, drivers: readonly string[]): Problem | null {
  if (drivers.includes(name)) return null
  const nearest = nearestName(name, drivers)
  return problem({
    code: 'driver-unknown',
    message: `The driver ${name} is not part of this version.`,
    hint:
      nearest === null
        ? `Set agent.driver in longhaul.yaml to one of: ${drivers.join(', ')}.`
        : `Did you mean ${nearest}? Set agent.driver in longhaul.yaml.`,
    retry: 'person',
  })
}

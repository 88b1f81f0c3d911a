import { isProblem } from '../../../core/model/problem.ts'
import { type AgentSettings, PLAIN_AGENT, type Settings } from '../../../core/model/settings.ts'
import type { Repository, Tools } from '../../../ports/repository.ts'
import type { World } from '../world.ts'
import { bad, type Diagnosis, note, ok } from './diagnosis.ts'

/** Checks whether a round could start with the agents in use, or with any where there are no settings; calls no model. */
export async function examineAgents(
  world: World,
  repository: Repository,
  settings: Settings | null,
): Promise<readonly Diagnosis[]> {
  const { drivers, driverProblem } = await world.adapters()
  const configured = settings?.agent ?? null
  const inUse = settings === null ? drivers : Object.values(settings.roles).map(({ driver }) => driver)
  const unknown = configured === null ? null : driverProblem(configured.driver)
  const tools = await repository.openTools(world.clock, 'rounds')
  if (isProblem(tools)) return [note('agent', `not checked: ${tools.message}`)]
  try {
    const others = drivers.filter((name) => name !== configured?.driver)
    return [
      ...(unknown === null ? [] : [bad('agent', unknown)]),
      ...(configured === null || unknown !== null ? [] : [await configuredFinding(tools, configured)]),
      ...(await Promise.all(others.map((driver) => otherFinding(tools, driver, inUse)))),
    ]
  } finally {
    await tools.close()
  }
}

async function configuredFinding(tools: Tools, agent: AgentSettings): Promise<Diagnosis> {
  const unready = (await tools.driver(agent.driver)?.ready({ agent })) ?? null
  return unready === null ? ok('agent', `${agent.driver}, access ${agent.access}: ready`) : bad('agent', unready)
}

// An agent that is not in use is not started: it would write to its own files in the user's home.
async function otherFinding(tools: Tools, driver: string, inUse: readonly (string | undefined)[]): Promise<Diagnosis> {
  if (!inUse.includes(driver)) return note('agent', `${driver}: not used by these settings, so not checked`)
  const unready = (await tools.driver(driver)?.ready({ agent: { ...PLAIN_AGENT, driver } })) ?? null
  if (unready === null) return note('agent', `${driver}: ready`)
  return note('agent', `${driver}: not ready. ${unready.message}`, unready.hint)
}

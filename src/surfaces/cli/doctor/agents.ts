import { isProblem } from '../../../core/model/problem.ts'
import { type AgentSettings, PLAIN_AGENT } from '../../../core/model/settings.ts'
import type { Repository, Tools } from '../../../ports/repository.ts'
import type { World } from '../world.ts'
import { bad, type Diagnosis, note, ok } from './diagnosis.ts'

/** Checks for every kind of agent whether a round could start with it, without calling a model. */
export async function examineAgents(
  world: World,
  repository: Repository,
  configured: AgentSettings | null,
): Promise<readonly Diagnosis[]> {
  const { drivers, driverProblem } = await world.adapters()
  const unknown = configured === null ? null : driverProblem(configured.driver)
  const tools = await repository.openTools(world.clock, 'rounds')
  if (isProblem(tools)) return [note('agent', `not checked: ${tools.message}`)]
  try {
    const others = drivers.filter((name) => name !== configured?.driver)
    return [
      ...(unknown === null ? [] : [bad('agent', unknown)]),
      ...(configured === null || unknown !== null ? [] : [await configuredFinding(tools, configured)]),
      ...(await Promise.all(others.map((driver) => otherFinding(tools, driver)))),
    ]
  } finally {
    await tools.close()
  }
}

async function configuredFinding(tools: Tools, agent: AgentSettings): Promise<Diagnosis> {
  const unready = (await tools.driver(agent.driver)?.ready({ agent })) ?? null
  return unready === null ? ok('agent', `${agent.driver}, access ${agent.access}: ready`) : bad('agent', unready)
}

async function otherFinding(tools: Tools, driver: string): Promise<Diagnosis> {
  const unready = (await tools.driver(driver)?.ready({ agent: { ...PLAIN_AGENT, driver } })) ?? null
  if (unready === null) return note('agent', `${driver}: ready, but not used by these settings`)
  return note('agent', `${driver}: not ready, and not used by these settings. ${unready.message}`, unready.hint)
}

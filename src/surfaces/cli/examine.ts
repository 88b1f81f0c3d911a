import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AttemptId } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { AgentSettings } from '../../core/model/settings.ts'
import { readSettings, SETTINGS_FILE } from './desk.ts'
import { folderSize, sizeText } from './folder-size.ts'
import { Refusal } from './refusal.ts'
import { currentRun, foldRun, readRuns } from './runs.ts'
import { dateAndTime } from './tell-time.ts'
import type { Place, State, World } from './world.ts'

/** What was found out about one thing. */
export interface Finding {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'bad'
  readonly message: string
  /** What to do; empty: nothing. */
  readonly hint: string
}

const NODE_NEEDED = [20, 19] as const

/** Looks at what the machine offers. */
export async function examineMachine(world: World): Promise<readonly Finding[]> {
  const { git, repository, identity, containment } = await (await world.adapters()).examine(world)
  return [
    nodeFinding(process.versions.node),
    found('git', git),
    ...(isProblem(git) ? [] : [found('repository', repository)]),
    ...(isProblem(repository) ? [] : [found('identity', identity)]),
    containmentFinding(containment),
  ]
}

/** Looks at a repository's settings, state and workspaces. */
export async function examineRepository(world: World): Promise<readonly Finding[]> {
  const place = await (await world.adapters()).find(world.folder, world.environment)
  if (isProblem(place)) return []
  return [...(await settingsFindings(world, place)), ...(await stateFindings(world, place))]
}

function found(name: string, value: string | Problem): Finding {
  return isProblem(value) ? bad(name, value) : ok(name, value)
}

function ok(name: string, message: string): Finding {
  return { name, state: 'ok', message, hint: '' }
}

function bad(name: string, { message, hint }: Pick<Problem, 'message' | 'hint'>): Finding {
  return { name, state: 'bad', message, hint }
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1])
  const hint = `Install Node ${NODE_NEEDED.join('.')} or newer.`
  return isEnough ? ok('node', `Node ${version}`) : bad('node', { message: `Node ${version} is too old.`, hint })
}

function containmentFinding(containment: 'bwrap' | 'guard' | Problem): Finding {
  if (isProblem(containment)) return bad('containment', containment)
  if (containment === 'bwrap') return ok('containment', 'bwrap: what agents start ends with the engine')
  return {
    name: 'containment',
    state: 'warn',
    message: 'bwrap cannot be used; a guard process ends what agents start',
    hint: 'Install bubblewrap for a guarantee of the kernel.',
  }
}

async function settingsFindings(world: World, place: Place): Promise<readonly Finding[]> {
  if (!existsSync(join(place.root, SETTINGS_FILE))) {
    return [{ name: 'settings', state: 'warn', message: `There is no ${SETTINGS_FILE}.`, hint: 'Run: longhaul init' }]
  }
  try {
    const { values } = await readSettings(world, place)
    return [gatesFinding(values.gates), await agentFinding(world, place, values.agent)]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.problems.map((problem) => bad('settings', problem))
  }
}

/** Whether a round could start with this agent; no model is asked. */
async function agentFinding(world: World, place: Place, agent: AgentSettings): Promise<Finding> {
  const unknown = (await world.adapters()).driverProblem(agent.driver)
  if (unknown !== null) return bad('agent', unknown)
  const tools = await place.openTools(world.clock, 'all')
  if (isProblem(tools)) return bad('agent', tools)
  try {
    const unready = (await tools.driver(agent.driver)?.ready({ agent })) ?? null
    return unready === null ? ok('agent', `${agent.driver}, access ${agent.access}: ready`) : bad('agent', unready)
  } finally {
    await tools.close()
  }
}

function gatesFinding(gates: readonly { readonly name: string }[] | null): Finding {
  if (gates !== null && gates.length > 0) {
    return ok('settings', `${SETTINGS_FILE}; checks: ${gates.map(({ name }) => name).join(', ')}`)
  }
  const message = gates === null ? 'No checks are written.' : 'gates: [] means that nothing is proven.'
  return { name: 'settings', state: 'warn', message, hint: `Write "gates" in ${SETTINGS_FILE}.` }
}

async function stateFindings(world: World, place: Place): Promise<readonly Finding[]> {
  const unwritable = [place.stateFolder, place.workspacesHome].filter((folder) => !isWritable(folder))
  if (unwritable.length > 0) return unwritable.map(unwritableFinding)
  if (!place.hasState()) return [ok('state', `none yet; it will be kept in ${place.stateFolder}`)]
  const state = await place.openState()
  if (isProblem(state)) return [bad('state', state)]
  try {
    const holder = await state.leases.holder()
    const engine =
      holder === null
        ? 'none is running'
        : `process ${holder.pid}, "${holder.purpose}", since ${dateAndTime(holder.startedAt)}`
    const size = sizeText(await folderSize(place.stateFolder))
    return [
      ok('state', `${place.stateFolder} (${size}), sound`),
      ok('engine', engine),
      await workspacesFinding(world, place, state),
    ]
  } finally {
    await state.store.close()
  }
}

/** Whether a folder can be written, or made where it is not there yet. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return isWritable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false // not ours to write
  }
}

function unwritableFinding(folder: string): Finding {
  return bad('state', { message: `${folder} cannot be written.`, hint: 'Make it a folder that you may write to.' })
}

async function workspacesFinding(world: World, place: Place, { store }: State): Promise<Finding> {
  const where = place.workspacesHome
  if (!existsSync(where)) return ok('workspaces', `none; they will be made in ${where}`)
  const size = sizeText(await folderSize(where))
  const tools = await place.openTools(world.clock, 'none')
  if (isProblem(tools)) return ok('workspaces', `${where} (${size})`)
  const onDisk = await tools.workspaces.list()
  await tools.close()
  const current = currentRun(await readRuns(store))
  const live = current === null ? new Set<AttemptId>() : new Set((await foldRun(store, current.run)).attempts.keys())
  const kept = onDisk.filter(({ kind, attempt }) => kind === 'workspace' && attempt !== null && !live.has(attempt))
  const left = onDisk.filter(({ kind }) => kind !== 'workspace')
  const counts = `${onDisk.length - kept.length - left.length} in use, ${kept.length} kept, ${left.length} left behind`
  const finding = ok('workspaces', `${where} (${size}): ${counts}`)
  return left.length === 0
    ? finding
    : { ...finding, state: 'warn', hint: 'The next "longhaul run" removes what was left behind.' }
}

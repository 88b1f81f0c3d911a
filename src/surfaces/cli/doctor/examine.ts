import { isProblem } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { Lease } from '../../../ports/store.ts'
import type { World } from '../world.ts'
import { examineAgents } from './agents.ts'
import { examineBaseline } from './baseline.ts'
import { bad, type Diagnosis, type Examined, fixAll, note, untouched } from './diagnosis.ts'
import { examineJudge } from './judge.ts'
import { examineLeftovers } from './leftovers.ts'
import { examineMachine } from './machine.ts'
import { examineSettings } from './settings.ts'
import { examineState } from './state.ts'

/** What is done beyond looking. */
export interface DoctorOptions {
  /** Whether the checks are run on the target. */
  readonly baseline: boolean
  /** Whether what can be mended safely is mended. */
  readonly fix: boolean
}

/** Looks at everything that a run needs, and mends what is wanted to be mended. */
export async function examine(world: World, wish: DoctorOptions): Promise<readonly Examined[]> {
  const machine = await examineMachine(world)
  const place = await (await world.adapters()).find(world.folder, world.environment)
  if (isProblem(place)) return machine.map(untouched)
  const { settings, findings } = await examineSettings(world, place)
  const agents = await examineAgents(world, place, settings?.agent ?? null)
  const judge = await examineJudge(world, place, settings)
  const { open, findings: stateFindings } = await examineState(place)
  const usual = [...machine, ...findings, ...agents, ...judge, ...stateFindings]
  const alone: Alone = { world, place, wish, settings, run: open?.run ?? null }
  if (open === null) return examineAlone(alone, usual)
  try {
    return await examineWithState(alone, usual, open.state)
  } finally {
    await open.state.store.close()
  }
}

interface Alone {
  readonly world: World
  readonly place: Repository
  readonly wish: DoctorOptions
  readonly settings: Settings | null
  readonly run: RunState | null
}

/** While an engine runs, what lies about is in use; so that none begins meanwhile, we take its place. */
async function examineWithState(
  alone: Alone,
  usual: readonly Diagnosis[],
  { leases }: State,
): Promise<readonly Examined[]> {
  const { clock, pid } = alone.world
  const lease = await leases.acquire({ pid, startedAt: clock.now(), purpose: 'doctor' })
  if (isProblem(lease)) return [...usual, bad('engine', lease)].map(untouched)
  if (lease.kind === 'held') return [...usual, inUse(alone.wish)].map(untouched)
  return releasing(lease, () => examineAlone(alone, usual))
}

async function releasing<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await lease.release()
  }
}

function inUse({ fix, baseline }: DoctorOptions): Diagnosis {
  const left = [...(fix ? ['mended'] : []), ...(baseline ? ['checked'] : [])].join(' or ')
  const message = 'not looked for while an engine is running'
  if (left === '') return note('leftovers', message)
  return bad('leftovers', {
    message: `${message}; nothing was ${left}`,
    hint: 'End it with "longhaul stop", then ask again.',
  })
}

async function examineAlone(alone: Alone, usual: readonly Diagnosis[]): Promise<readonly Examined[]> {
  const { world, place, wish, settings, run } = alone
  const tools = await place.openTools(world.clock, 'neither')
  if (isProblem(tools)) return usual.map(untouched)
  try {
    const left = place.hasState() ? await examineLeftovers(world, place, tools, run) : []
    const isTried = wish.baseline && settings !== null
    const known = isTried ? usual.filter(({ name }) => name !== 'baseline') : usual
    const all = [...known, ...left]
    const examined = wish.fix ? await fixAll(all) : all.map(untouched)
    return isTried ? [...examined, untouched(await examineBaseline(place, tools, settings))] : examined
  } finally {
    await tools.close()
  }
}

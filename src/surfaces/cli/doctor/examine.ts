import { engineWithoutState, isEngineWithoutState } from '../../../core/model/lease.ts'
import { isProblem } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { Lease } from '../../../ports/store.ts'
import type { World } from '../world.ts'
import { examineAgents } from './agents.ts'
import { examineBaseline } from './baseline.ts'
import { bad, type Diagnosis, type Examined, fixAll, note, untouched } from './diagnosis.ts'
import { examineJudge } from './judge.ts'
import { examineLeftovers } from './leftovers.ts'
import { examineMachine } from './machine.ts'
import { examineSandbox } from './sandbox.ts'
import { examineSettings } from './settings.ts'
import { examineState, type StateFound } from './state.ts'

/** Options of doctor beyond examining. */
export interface DoctorOptions {
  /** True to run the checks on the target. */
  readonly baseline: boolean
  /** True to compare everything in the state with its checksums. */
  readonly deep: boolean
  /** True to apply safe fixes. */
  readonly fix: boolean
}

/** Examines everything that a run needs, and applies fixes on request. */
export async function examine(world: World, options: DoctorOptions): Promise<readonly Examined[]> {
  const machine = await examineMachine(world)
  const repository = await (await world.adapters()).find(world.folder, world.environment)
  if (isProblem(repository)) return machine.map(untouched)
  const { settings, areInvalid, findings } = await examineSettings(world, repository)
  const agents = areInvalid ? [AGENTS_UNKNOWN] : await examineAgents(world, repository, settings)
  const judge = await examineJudge(world, repository, settings)
  const sandbox = await examineSandbox(world, repository, settings)
  const { open, findings: stateFindings } = await examineState(repository, options.deep ? 'deep' : 'quick')
  const general = [...machine, ...sandbox, ...findings, ...agents, ...judge, ...stateFindings]
  const target: ExaminedRepository = { world, repository, options, settings, state: open }
  if (open === null) return examineAlone(target, general)
  try {
    return await examineWithState(target, general, open.state)
  } finally {
    await open.state.store.close()
  }
}

/** Invalid settings do not say which agents are in use, and checking one may write to its own files. */
const AGENTS_UNKNOWN = note('agent', 'not checked, because the settings are invalid')

interface ExaminedRepository {
  readonly world: World
  readonly repository: Repository
  readonly options: DoctorOptions
  readonly settings: Settings | null
  /** Null when there is none, or it cannot be used. */
  readonly state: StateFound['open']
}

/** Examines under the lease: a running engine uses what looks left over, and none may start meanwhile. */
async function examineWithState(
  target: ExaminedRepository,
  general: readonly Diagnosis[],
  { leases }: State,
): Promise<readonly Examined[]> {
  const { clock, pid } = target.world
  const lease = await leases.acquire({ pid, startedAt: clock.now(), purpose: 'doctor' })
  if (isProblem(lease)) return [...general, bad('engine', lease)].map(untouched)
  if (lease.kind === 'held' && isEngineWithoutState(lease)) {
    return [...general, bad('engine', engineWithoutState(lease, target.repository.stateFolder))].map(untouched)
  }
  if (lease.kind === 'held') return [...general, inUse(target.options)].map(untouched)
  return releasing(lease, () => examineAlone(target, general))
}

async function releasing<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await lease.release()
  }
}

function inUse({ fix, baseline }: DoctorOptions): Diagnosis {
  const left = [...(fix ? ['fixed'] : []), ...(baseline ? ['checked'] : [])].join(' or ')
  const message = 'not examined while an engine is running'
  if (left === '') return note('leftovers', message)
  return note('leftovers', `${message}; nothing was ${left}`, 'Stop it with "longhaul stop", then try again.')
}

async function examineAlone(target: ExaminedRepository, general: readonly Diagnosis[]): Promise<readonly Examined[]> {
  const { world, repository, options, settings, state } = target
  const tools = await repository.openTools(world.clock, 'neither')
  if (isProblem(tools)) return general.map(untouched)
  try {
    // Without its state nothing is known to be left over.
    const left = state === null ? [] : await examineLeftovers(world, repository, tools, state.run)
    const isChecked = options.baseline && settings !== null
    const known = isChecked ? general.filter(({ name }) => name !== 'baseline') : general
    const all = [...known, ...left]
    const examined = options.fix ? await fixAll(all) : all.map(untouched)
    return isChecked ? [...examined, untouched(await examineBaseline(repository, tools, settings))] : examined
  } finally {
    await tools.close()
  }
}

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LeaseHolder } from '../../../core/model/lease.ts'
import { carriedProblem, isProblem, type Problem } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import { folderSize, sizeText } from '../render/folder-size.ts'
import { dateAndTime } from '../render/times.ts'
import { lostState } from '../repository/landed-before.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import { examineStore } from './deep.ts'
import { bad, type Diagnosis, note, ok, warn } from './diagnosis.ts'
import { diskFinding } from './machine.ts'

/** Examined state of a repository. */
export interface StateFound {
  /** Null when there is none yet, or it cannot be used. */
  readonly open: { readonly state: State; readonly holder: LeaseHolder | null; readonly run: RunState | null } | null
  readonly findings: readonly Diagnosis[]
}

/** Examines the folders of state and workspaces, and with `deep` everything that is stored; the caller closes the state. */
export async function examineState(repository: Repository, depth: 'quick' | 'deep'): Promise<StateFound> {
  const folders = [repository.stateFolder, repository.workspacesHome]
  const unwritable = folders.filter((folder) => !isWritable(folder))
  if (unwritable.length > 0) return { open: null, findings: unwritable.map(unwritableFinding) }
  const disks = [
    await diskFinding('state', repository.stateFolder),
    await diskFinding('workspaces', repository.workspacesHome),
  ]
  if (!repository.hasState()) return { open: null, findings: [...disks, await missingFinding(repository)] }
  const state = await repository.openState()
  if (isProblem(state)) return { open: null, findings: [...disks, bad('state', state)] }
  const deep = depth === 'deep' ? await examineStore(state.store) : []
  const holder = await state.leases.holder()
  const run = await runNow(state)
  if (isProblem(run)) {
    await state.store.close()
    return { open: null, findings: [...disks, bad('state', run), ...deep, engineFinding(holder)] }
  }
  const size = sizeText(await folderSize(repository.stateFolder))
  const findings = [
    ok('state', `${repository.stateFolder} (${size}), intact`),
    ...deep,
    engineFinding(holder),
    ...baselineFindings(run),
  ]
  return { open: { state, holder, run }, findings: [...disks, ...findings] }
}

/** Folds the current run; a problem when a fact cannot be trusted. */
async function runNow({ store }: State): Promise<RunState | null | Problem> {
  try {
    const current = currentRun(await readRuns(store))
    return current === null ? null : await foldRun(store, current.run)
  } catch (error) {
    const carried = carriedProblem(error)
    if (carried === null) throw error
    return carried
  }
}

/** Reports that there is no state yet, or that it was lost. */
async function missingFinding(repository: Repository): Promise<Diagnosis> {
  const lost = await lostState(repository)
  if (lost !== null) return bad('state', lost)
  return ok('state', `none yet; it will be kept in ${repository.stateFolder}`)
}

function engineFinding(holder: LeaseHolder | null): Diagnosis {
  if (holder === null) return ok('engine', 'not running')
  return ok(
    'engine',
    `running (pid ${holder.pid}, "longhaul ${holder.purpose}") since ${dateAndTime(holder.startedAt)}`,
  )
}

/** Reports the recorded checks of the baseline. */
function baselineFindings(run: RunState | null): readonly Diagnosis[] {
  if (run === null) return []
  if (run.baseline === null) {
    return [note('baseline', 'not checked yet in this run', 'To check it now: longhaul doctor --baseline')]
  }
  if (run.baseline.passed) return [ok('baseline', 'the checks passed before any work')]
  const what = run.baseline.findings.map(({ source, message }) => `${source}: ${message}`).join('; ')
  const hint = `Fix ${run.target} and commit; failures there make it harder to see what the work broke.`
  return [warn('baseline', `the checks failed before any work: ${what}`, hint)]
}

/** True when a folder can be written, or created if it does not exist yet. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return isWritable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false // no permission
  }
}

function unwritableFinding(folder: string): Diagnosis {
  return bad('state', { message: `${folder} is not writable.`, hint: 'Make it a folder that you may write to.' })
}

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isProblem } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Repository, State } from '../../../ports/repository.ts'
import type { LeaseHolder } from '../../../ports/store.ts'
import { folderSize, sizeText } from '../render/folder-size.ts'
import { dateAndTime } from '../render/times.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import { bad, type Diagnosis, note, ok, warn } from './diagnosis.ts'
import { diskFinding } from './machine.ts'

/** The state of a repository while it is looked at. */
export interface StateFound {
  /** null: none yet, or it cannot be used. */
  readonly open: { readonly state: State; readonly holder: LeaseHolder | null; readonly run: RunState | null } | null
  readonly findings: readonly Diagnosis[]
}

/** Looks at where state and workspaces are kept; who calls it closes the state. */
export async function examineState(place: Repository): Promise<StateFound> {
  const folders = [place.stateFolder, place.workspacesHome]
  const unwritable = folders.filter((folder) => !isWritable(folder))
  if (unwritable.length > 0) return { open: null, findings: unwritable.map(unwritableFinding) }
  const disks = [await diskFinding('state', place.stateFolder), await diskFinding('workspaces', place.workspacesHome)]
  const none = ok('state', `none yet; it will be kept in ${place.stateFolder}`)
  if (!place.hasState()) return { open: null, findings: [...disks, none] }
  const state = await place.openState()
  if (isProblem(state)) return { open: null, findings: [...disks, bad('state', state)] }
  const holder = await state.leases.holder()
  const found = currentRun(await readRuns(state.store))
  const run = found === null ? null : await foldRun(state.store, found.run)
  const size = sizeText(await folderSize(place.stateFolder))
  const findings = [
    ok('state', `${place.stateFolder} (${size}), sound`),
    engineFinding(holder),
    ...baselineFindings(run),
  ]
  return { open: { state, holder, run }, findings: [...disks, ...findings] }
}

function engineFinding(holder: LeaseHolder | null): Diagnosis {
  if (holder === null) return ok('engine', 'none is running')
  return ok('engine', `process ${holder.pid}, "${holder.purpose}", since ${dateAndTime(holder.startedAt)}`)
}

/** What the ledger knows of the checks on the line before any work. */
function baselineFindings(run: RunState | null): readonly Diagnosis[] {
  if (run === null) return []
  if (run.baseline === null) {
    return [note('baseline', 'not checked yet in this run', 'To check the target now: longhaul doctor --baseline')]
  }
  if (run.baseline.passed) return [ok('baseline', 'the checks passed before any work')]
  const what = run.baseline.findings.map(({ source, message }) => `${source}: ${message}`).join('; ')
  const hint = `Mend ${run.target} and commit; work on top of red checks cannot pass them.`
  return [warn('baseline', `the checks were red before any work: ${what}`, hint)]
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

function unwritableFinding(folder: string): Diagnosis {
  return bad('state', { message: `${folder} cannot be written.`, hint: 'Make it a folder that you may write to.' })
}

import { isDeepStrictEqual } from 'node:util'
import type { AttemptId } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import type { OpenRepository } from './open-repository.ts'
import { foldAttempt, foldRun } from './runs.ts'

/** True when an engine halted because its state was taken away. */
export function isStateLost({ code }: Problem): boolean {
  return code === 'state-lost'
}

/** Saves what can still be read of a lost state and its work; returns the problem with what was saved and how to go on. */
export async function saveLostState(open: OpenRepository, run: RunState, lost: Problem): Promise<Problem> {
  const { repository } = open
  const work: string[] = [`Workspaces are kept in ${repository.workspacesHome}.`]
  for (const attempt of run.attempts.keys()) {
    const failed = await saveWork(open, attempt)
    const branch = repository.branchOf(attempt)
    work.push(failed === null ? `Work is saved in ${branch}.` : `${branch} was not moved: ${failed}`)
  }
  const facts = factsText(await saveFacts(open, run), repository)
  return { ...lost, hint: [facts, ...work].join(' ') }
}

/** Saves the work in a workspace as the branch of its attempt; returns the reason when git or the facts do not allow it. */
async function saveWork({ state, tools }: OpenRepository, attempt: AttemptId): Promise<string | null> {
  try {
    const { spec, commit } = await foldAttempt(state.store, attempt)
    if (spec === null || !(await tools.workspaces.exists(attempt))) return 'there is no workspace.'
    const work = await tools.workspaces.checkpoint(spec, commit ?? spec.base, 'Work saved when the state was lost')
    return isProblem(work) ? work.message : null
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

interface SavedFacts {
  readonly file: string
  /** False when the copy lacks something of the run or does not match its checksums: the file was mixed with another. */
  readonly isWhole: boolean
}

function factsText(saved: SavedFacts | null, { stateFolder }: Repository): string {
  const restore = 'Restore a backup ("longhaul import BACKUP"), or move the state away and see "longhaul recover".'
  if (saved === null) return `The recorded facts could not be read any more. ${restore}`
  if (!saved.isWhole) return `A copy of what could still be read is in ${saved.file}, but it is damaged. ${restore}`
  const put = `mkdir -p '${stateFolder}' && cp '${saved.file}' '${stateFolder}/state.db'`
  return `Everything recorded is in ${saved.file}. Put the state back (or: ${put}), then run "longhaul run".`
}

/** Copies the facts beside the workspaces and verifies the copy; null when they cannot be read. */
async function saveFacts({ world, repository, state }: OpenRepository, run: RunState): Promise<SavedFacts | null> {
  const time = new Date(world.clock.now()).toISOString().slice(0, 19).replaceAll(':', '')
  const file = `${repository.workspacesHome}.saved-state-${time}.db`
  try {
    await state.store.saveCopy(file)
    const copy = await (await repository.backups()).read(file)
    if (isProblem(copy)) return { file, isWhole: false }
    const isWhole = await holdsRun(copy.store, run)
    await copy.store.close()
    return { file, isWhole }
  } catch {
    // Trouble with lost files is expected; the message says that nothing could be read.
    return null
  }
}

/** True when a store has all facts of a run, as the engine that drove it knows them. */
async function holdsRun(store: Store, run: RunState): Promise<boolean> {
  return run.id !== null && isDeepStrictEqual(await foldRun(store, run.id), run)
}

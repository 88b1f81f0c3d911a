import type { AttemptId } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { OpenRepository } from './open-repository.ts'
import { foldAttempt } from './runs.ts'

/** True when an engine halted because its state was taken away. */
export function isStateLost({ code }: Problem): boolean {
  return code === 'state-lost'
}

/** Saves what can still be read of a lost state and its work; returns the problem with what was saved and how to go on. */
export async function saveLostState(open: OpenRepository, run: RunState, lost: Problem): Promise<Problem> {
  const { repository } = open
  const saved: string[] = []
  for (const attempt of run.attempts.keys()) if (await saveWork(open, attempt)) saved.push(repository.branchOf(attempt))
  const work = `Workspaces are kept in ${repository.workspacesHome}${saved.length === 0 ? '' : `; their work is saved in ${saved.join(', ')}`}.`
  const facts = factsText(await saveFacts(open), repository)
  return { ...lost, hint: `${facts} ${work}` }
}

/** Saves the work in a workspace as the branch of its attempt, where git and the facts allow it. */
async function saveWork({ state, tools }: OpenRepository, attempt: AttemptId): Promise<boolean> {
  try {
    const { spec, commit } = await foldAttempt(state.store, attempt)
    if (spec === null || !(await tools.workspaces.exists(attempt))) return false
    return !isProblem(
      await tools.workspaces.checkpoint(spec, commit ?? spec.base, 'Work saved when the state was lost'),
    )
  } catch {
    // Facts that cannot be read name no work; the workspace keeps it.
    return false
  }
}

interface SavedFacts {
  readonly file: string
  /** False when something in the copy does not match its checksum: the lost file was mixed with another. */
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
async function saveFacts({ world, repository, state }: OpenRepository): Promise<SavedFacts | null> {
  const time = new Date(world.clock.now()).toISOString().slice(0, 19).replaceAll(':', '')
  const file = `${repository.workspacesHome}.saved-state-${time}.db`
  try {
    await state.store.saveCopy(file)
    const copy = await (await repository.backups()).read(file)
    if (!isProblem(copy)) await copy.store.close()
    return { file, isWhole: !isProblem(copy) }
  } catch {
    // Trouble with lost files is expected; the message says that nothing could be read.
    return null
  }
}

import type { AttemptId } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
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
  const copy = await saveFacts(open)
  const work = `Workspaces are kept in ${repository.workspacesHome}${saved.length === 0 ? '' : `; their work is saved in ${saved.join(', ')}`}.`
  const facts =
    copy === null
      ? 'The recorded facts could not be read any more. Put a good copy back, or see "longhaul doctor".'
      : `Everything recorded is in ${copy}. Put the state back (or: mkdir -p '${repository.stateFolder}' && cp '${copy}' '${repository.stateFolder}/state.db'), then run "longhaul run".`
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

/** Copies the facts beside the workspaces; null when they cannot be read. */
async function saveFacts({ world, repository, state }: OpenRepository): Promise<string | null> {
  const time = new Date(world.clock.now()).toISOString().slice(0, 19).replaceAll(':', '')
  const file = `${repository.workspacesHome}.saved-state-${time}.db`
  return state.store.saveCopy(file).then(
    () => file,
    () => null,
  )
}

import type { RecoveredTask } from '../../../core/model/landed-work.ts'
import { engineWithoutState, RUN_PURPOSE } from '../../../core/model/lease.ts'
import { type Problem, problem, unwrap } from '../../../core/model/problem.ts'
import { recoverTasks } from '../../../core/run/recover-tasks.ts'
import { counted } from '../../../core/views/line-parts.ts'
import type { Repository } from '../../../ports/repository.ts'

/** Returns the tasks that landing lines have, for a repository whose state may be lost. */
export async function landedBefore(repository: Repository): Promise<readonly RecoveredTask[]> {
  return recoverTasks(unwrap(await repository.lineLandings()))
}

/** Reports a state that went away: under a live engine, or beside work of some tasks that landed; null when neither is so. */
export async function lostState(
  repository: Repository,
  isMeant: (task: RecoveredTask) => boolean = () => true,
): Promise<Problem | null> {
  const holder = await repository.leaseHolder()
  if (holder?.purpose === RUN_PURPOSE) return engineWithoutState({ by: holder }, repository.stateFolder)
  return stateMissing((await landedBefore(repository)).filter(isMeant), repository)
}

function stateMissing(landed: readonly RecoveredTask[], { stateFolder }: Repository): Problem | null {
  if (landed.length === 0) return null
  const names = landed.slice(0, SHOWN_MAX).map(({ task }) => task.id)
  const list = landed.length > SHOWN_MAX ? [...names, '…'] : names
  return problem({
    code: 'state-missing',
    message: `The state in ${stateFolder} is missing, but ${counted(landed.length, 'task')} of it landed: ${list.join(', ')}.`,
    hint: 'Put the state back if you have it. Otherwise "longhaul recover" records these tasks as done; see "longhaul recover --dry-run".',
    retry: 'person',
  })
}

const SHOWN_MAX = 10

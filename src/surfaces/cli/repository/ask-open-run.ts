import type { Request } from '../../../core/model/input.ts'
import { ProblemError } from '../../../core/model/problem.ts'
import type { RunState } from '../../../core/run/state.ts'
import type { VerbContext } from '../verb.ts'
import { type Answered, askRun, noRun } from './ask-run.ts'
import { findRepository, openRepositoryFor } from './open-repository.ts'
import { currentRun, foldRun, readRuns } from './runs.ts'

/** Asks something of the run that is there; a repository without one, or a refusal, ends the verb. */
export async function askOpenRun({ world }: VerbContext, purpose: string, request: Request): Promise<AnsweredByRun> {
  const place = await findRepository({ world })
  if (!place.hasState()) throw new ProblemError(noRun())
  const desk = await openRepositoryFor(world, place, 'neither')
  try {
    const answered = await askRun(desk, { purpose, request, opening: null })
    const { store } = desk.state
    const run = currentRun(await readRuns(store))
    if (run === null) throw new ProblemError(noRun())
    return { ...answered, state: await foldRun(store, run.run) }
  } finally {
    await desk.close()
  }
}

export interface AnsweredByRun extends Answered {
  /** The run as it is afterwards. */
  readonly state: RunState
}

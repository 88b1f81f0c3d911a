import { unwrap } from '../../../core/model/problem.ts'
import type { Backlog } from '../../../core/model/task.ts'
import { counted } from '../../../core/views/line-parts.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { askRun, refuseForNewRun } from '../repository/ask-run.ts'
import { findRepository, openRepositoryFor, type ReadSettings, readSettings } from '../repository/open-repository.ts'
import { attemptsBefore, openRun, readRuns } from '../repository/runs.ts'
import { newTarget } from '../repository/target.ts'
import type { VerbContext } from '../verb.ts'
import type { World } from '../world.ts'

/** Puts tasks into the open run, or into a new one, and says what came of it. */
export async function putTasks({ world, output }: VerbContext, purpose: string, backlog: Backlog): Promise<ExitCode> {
  const place = await findRepository({ world })
  const settings = await readSettings(world, place)
  if (!place.hasState()) await refuseBeforeState(world, place, settings, backlog)
  const desk = await openRepositoryFor(world, place, 'neither')
  try {
    const tried = await attemptsBefore(
      desk,
      backlog.tasks.map(({ id }) => id),
    )
    const request = { kind: 'add-tasks' as const, backlog, attemptsBefore: tried }
    const { counts, byEngine } = await askRun(desk, { purpose, request, opening: settings })
    const added = counts['task-added'] ?? 0
    const changed = counts['task-changed'] ?? 0
    const unchanged = backlog.tasks.length - added - changed
    const run = openRun(await readRuns(desk.state.store))?.run ?? null
    output.json({ run, added, changed, unchanged })
    output.line(`${counted(added, 'task')} added, ${changed} changed, ${unchanged} unchanged (run ${run}).`)
    output.line(byEngine ? 'The engine that is running goes on with them.' : 'Next: longhaul run')
    return EXIT.done
  } finally {
    await desk.close()
  }
}

/** What the first tasks of a repository are refused for, told before anything is made for them. */
async function refuseBeforeState(
  world: World,
  place: Repository,
  { values }: ReadSettings,
  backlog: Backlog,
): Promise<void> {
  refuseForNewRun({ kind: 'add-tasks', backlog, attemptsBefore: {} })
  const tools = unwrap(await place.openTools(world.clock, 'neither'))
  await tools.close()
  unwrap(await newTarget(place, values, tools.branch))
}

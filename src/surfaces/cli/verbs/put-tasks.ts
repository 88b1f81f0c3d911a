import { unwrap } from '../../../core/model/problem.ts'
import type { Backlog } from '../../../core/model/task.ts'
import { counted } from '../../../core/views/line-parts.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { adoptableSettings } from '../repository/approved-settings.ts'
import { askRun, refuseForNewRun } from '../repository/ask-run.ts'
import { lostState } from '../repository/landed-before.ts'
import { findRepository, openRepositoryFor, type ReadSettings } from '../repository/open-repository.ts'
import { attemptsBefore, openRun, readRuns } from '../repository/runs.ts'
import { newTarget } from '../repository/target.ts'
import type { VerbContext } from '../verb.ts'
import type { World } from '../world.ts'

/** Adds tasks to the open run, or to a new one, and prints the outcome. */
export async function putTasks({ world, output }: VerbContext, purpose: string, backlog: Backlog): Promise<ExitCode> {
  const repository = await findRepository({ world })
  const settings = await adoptableSettings(world, repository)
  if (!repository.hasState()) await refuseBeforeState(world, repository, settings, backlog)
  const open = await openRepositoryFor(world, repository, 'neither')
  try {
    const tried = await attemptsBefore(
      open,
      backlog.tasks.map(({ id }) => id),
    )
    const before = openRun(await readRuns(open.state.store))
    const request = { kind: 'add-tasks' as const, backlog, attemptsBefore: tried }
    const { counts, byEngine } = await askRun(open, { purpose, request, opening: settings })
    const added = counts['task-added'] ?? 0
    const changed = counts['task-changed'] ?? 0
    const unchanged = backlog.tasks.length - added - changed
    const current = openRun(await readRuns(open.state.store))
    const run = current?.run ?? null
    output.json({ run, added, changed, unchanged })
    const where = before !== null ? `Run ${run}.` : `Opened run ${run}; work lands on ${current?.summary.target}.`
    output.line(`${countsText(added, changed, unchanged)}. ${where}`)
    output.line(byEngine ? 'The running engine picks them up.' : 'Next: longhaul run')
    return EXIT.done
  } finally {
    await open.close()
  }
}

function countsText(added: number, changed: number, unchanged: number): string {
  const parts = [
    ...(added > 0 || changed + unchanged === 0 ? [`${counted(added, 'task')} added`] : []),
    ...(changed > 0 ? [`${counted(changed, 'task')} changed`] : []),
    ...(unchanged > 0 ? [`${counted(unchanged, 'task')} unchanged`] : []),
  ]
  return parts.join(', ')
}

/** Refuses the first tasks of a repository before any state is created. */
async function refuseBeforeState(
  world: World,
  repository: Repository,
  { values }: ReadSettings,
  backlog: Backlog,
): Promise<void> {
  const ids = new Set(backlog.tasks.map(({ id }) => id))
  unwrap(await lostState(repository, ({ task }) => ids.has(task.id)))
  refuseForNewRun({ kind: 'add-tasks', backlog, attemptsBefore: {} })
  const tools = unwrap(await repository.openTools(world.clock, 'neither'))
  await tools.close()
  unwrap(await newTarget(repository, values, tools.branch))
}

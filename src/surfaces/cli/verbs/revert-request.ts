import type { Commit, TaskId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import type { CarriedTask, LineChange } from '../../../core/model/landed-work.ts'
import { unwrap } from '../../../core/model/problem.ts'
import { isAfter, type LandedTask, restingOn } from '../../../core/run/landed-dependents.ts'
import { standingText } from '../../../core/run/standing-text.ts'
import { refuse } from '../refusal.ts'
import { type AllTasks, readAllTasks, type TaskInRun, taskInRun } from '../repository/all-tasks.ts'
import type { OpenRepository } from '../repository/open-repository.ts'
import { attemptsBefore } from '../repository/runs.ts'

type RevertRequest = Extract<Request, { kind: 'revert' }>

/** Builds the request to revert a task of any run, with the landed tasks that rest on it. */
export async function revertRequest(
  open: OpenRepository,
  task: TaskId,
  dependents: RevertRequest['dependents'],
): Promise<RevertRequest> {
  const all = await readAllTasks(open.state.store)
  const wanted = taskInRun(all, task)
  refuseForeign(all, wanted)
  const request: RevertRequest = { kind: 'revert', task, dependents, resting: [], carried: [] }
  const { landed } = wanted.record
  if (landed === null) return request
  const changes = unwrap(await open.tools.landing.changesSince(all.current.target, landed.commit))
  const own = { task: wanted.record.task, change: changeOf(changes, landed.commit) }
  const resting = restingOn(own, laterLandings(all, wanted, changes), (id) => all.tasks.get(id)?.record.task)
  const named = [task, ...resting.map((dependent) => dependent.task).toReversed()]
  return { ...request, resting, carried: await carriedTasks(open, all, named) }
}

/** Refuses a task of an earlier run that has no landing on the current run's target. */
function refuseForeign({ current }: AllTasks, { record, run, id }: TaskInRun): void {
  const { task, landed, standing } = record
  if (run === current) return
  if (landed === null) {
    const message = `${task.id} ${standingText(standing)} in run ${id}, so nothing of it is on ${run.target}.`
    refuse('task-not-landed', message, 'Only landed work can be reverted.')
  }
  if (run.target === current.target) return
  const message = `${task.id} landed on ${run.target}, but run ${current.id} lands on ${current.target}.`
  refuse('target-changed', message, `Revert it by hand on ${run.target}: git revert ${landed.commit.slice(0, 10)}`)
}

function changeOf(changes: readonly LineChange[], commit: Commit): Pick<LineChange, 'files'> {
  return changes.find((change) => change.commit === commit) ?? { files: [] }
}

/** Lists the tasks that landed after one, newest first; those of which git shows no change come last. */
function laterLandings(
  { tasks }: AllTasks,
  { record, run }: TaskInRun,
  changes: readonly LineChange[],
): readonly LandedTask[] {
  const landings = [...tasks.values()].filter((other) => other.record.landed !== null && other.record !== record)
  const byCommit = new Map(landings.map((other) => [other.record.landed?.commit, other.record.task]))
  const shown = changes.flatMap((change) => {
    const task = byCommit.get(change.commit)
    return task === undefined ? [] : [{ task, change }]
  })
  const known = new Set(shown.map(({ task }) => task.id))
  const others = landings.filter((other) => other.run === run && isAfter(run, other.record.task.id, record.task.id))
  const unshown = others.flatMap(({ record: { task } }) =>
    known.has(task.id) ? [] : [{ task, change: { files: [] } }],
  )
  return [...shown, ...unshown.toReversed()]
}

/** Lists those of some tasks that the current run has to take over, in the given order. */
async function carriedTasks(
  open: OpenRepository,
  { current, tasks }: AllTasks,
  wanted: readonly TaskId[],
): Promise<readonly CarriedTask[]> {
  const foreign = wanted.flatMap((id) => tasks.get(id) ?? []).filter(({ run }) => run !== current)
  if (foreign.length === 0) return []
  const tried = await attemptsBefore(open, wanted)
  return foreign.flatMap(({ record: { task, landed }, id }) => {
    return landed === null ? [] : [{ run: id, task, attemptsBefore: tried[task.id] ?? 0, landed }]
  })
}

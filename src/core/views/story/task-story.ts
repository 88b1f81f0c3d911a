import type { AttemptId, Commit, MilestoneId, RunId, TaskId } from '../../model/ids.ts'
import type { RunEvent } from '../../model/run-event.ts'
import type { Weight } from '../../model/task.ts'
import { type RunState, type Standing, type TaskRecord, taskOf } from '../../run/state.ts'
import { proofOf } from '../proof.ts'
import { type ReasonSources, taskReasons } from '../task-reason.ts'
import { type AttemptStory, isoTime, nothingSpent, type Spent, spend } from './attempt-story.ts'
import { lastProblem, type TaskProblem } from './last-problem.ts'

/** Full description of a task; unknown values are null, never absent. */
export interface TaskStory {
  readonly run: RunId | null
  readonly id: TaskId
  readonly title: string
  readonly state: Standing
  /** Why it is in this state, on one line. */
  readonly reason: string | null
  readonly milestone: { readonly id: MilestoneId; readonly title: string } | null
  readonly weight: Weight
  readonly type: string | null
  readonly priority: number
  readonly brief: string
  readonly acceptance: readonly string[]
  readonly verify: readonly string[]
  /** Commands of `verify` that passed before any work on it. */
  readonly alreadyGreen: readonly string[]
  readonly files: readonly string[]
  /** Its dependencies and its dependents. */
  readonly after: readonly Neighbour[]
  readonly before: readonly Neighbour[]
  readonly attempts: readonly AttemptStory[]
  readonly landed: Landing | null
  readonly spent: Spent
  readonly problem: TaskProblem | null
}

/** Task at the other end of a dependency. */
export interface Neighbour {
  readonly id: TaskId
  readonly title: string
  readonly state: Standing
}

interface Landing {
  readonly at: string
  readonly attempt: AttemptId
  readonly commit: Commit
  readonly proof: string
  /** Commit that reverted it. */
  readonly revertedBy: Commit | null
}

/** Inputs of a story. */
export interface StorySources extends ReasonSources {
  readonly task: TaskId
  /** Facts of the run about the task, in order. */
  readonly facts: readonly { readonly at: number; readonly event: RunEvent }[]
  readonly attempts: readonly AttemptStory[]
}

/** Builds the story of a task. */
export function taskStory(sources: StorySources): TaskStory {
  const { run, attempts } = sources
  const record = taskOf(run, sources.task)
  const { id, title, weight, type, priority, brief, acceptance, verify, files, after } = record.task
  const spent = nothingSpent()
  for (const attempt of attempts) spend(spent, attempt.spent)
  return {
    run: run.id,
    id,
    title,
    state: record.standing,
    reason: taskReasons(sources)(record),
    milestone: milestoneOf(run, record),
    weight,
    type,
    priority,
    brief,
    acceptance,
    verify,
    alreadyGreen: record.alreadyGreen,
    files,
    after: after.map((other) => neighbour(run, other)),
    before: tasksAfter(run, id).map((other) => neighbour(run, other)),
    attempts,
    landed: landingOf(sources),
    spent,
    problem: lastProblem(run, record),
  }
}

function milestoneOf(run: RunState, { task }: TaskRecord): TaskStory['milestone'] {
  const milestone = task.milestone === null ? undefined : run.milestones.get(task.milestone)
  return milestone === undefined ? null : { id: milestone.id, title: milestone.title }
}

function neighbour(run: RunState, id: TaskId): Neighbour {
  const { task, standing } = taskOf(run, id)
  return { id, title: task.title, state: standing }
}

function tasksAfter({ graph, tasks }: RunState, id: TaskId): readonly TaskId[] {
  return [...(graph.nodes.get(id)?.before ?? [])].filter((name) => tasks.has(name as TaskId)) as TaskId[]
}

function landingOf({ facts }: StorySources): Landing | null {
  const landed = facts.findLast(({ event }) => event.kind === 'landed')
  if (landed?.event.kind !== 'landed') return null
  const { attempt, commit, receipts } = landed.event
  const reverted = facts.findLast(({ event }) => event.kind === 'reverted')
  const isReverted = reverted?.event.kind === 'reverted' && facts.indexOf(reverted) > facts.indexOf(landed)
  const revertedBy = isReverted && reverted.event.kind === 'reverted' ? reverted.event.commit : null
  return { at: isoTime(landed.at), attempt, commit, proof: proofOf(receipts), revertedBy }
}

import type { ShownActivity } from '../../model/activity.ts'
import type { AskKind } from '../../model/attempt.ts'
import type { AttemptId, TaskId } from '../../model/ids.ts'
import { addTotals, type Totals } from '../../model/usage.ts'
import { slotsMax } from '../../run/settle.ts'
import { type RunState, type Standing, type TaskRecord, taskOf } from '../../run/state.ts'
import { type RunStanding, runStanding } from '../status.ts'
import { type ReasonSources, taskReasons } from '../task-reason.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import { type FollowedAttempt, type LiveAttempt, liveAttempt } from './live-attempt.ts'
import { orderTasks, type TaskGroup } from './order-tasks.ts'
import type { Pace } from './pace.ts'

/** Everything a live view shows of a run; what one task shows is worked out when it is asked for. */
export interface LiveModel {
  readonly run: { readonly id: string; readonly state: RunStanding; readonly target: string }
  readonly isDriven: boolean
  readonly at: number
  /** Since the run was first started; null: it has not been. */
  readonly elapsedMs: number | null
  readonly counts: Readonly<Record<Standing, number>>
  readonly total: number
  readonly spent: Totals
  readonly budgetUsd: number | null
  readonly estimate: Estimate
  readonly limits: readonly { readonly what: string; readonly leftMs: number; readonly isEstimated: boolean }[]
  /** What keeps the whole run from going on as it should, a line each. */
  readonly held: readonly string[]
  readonly groups: readonly TaskGroup[]
  task(id: TaskId): LiveTask
}

/** One task of a live view. */
export interface LiveTask {
  readonly id: TaskId
  readonly title: string
  readonly standing: Standing
  /** Why it is where it is. */
  readonly reason: string
  /** What it waits for a person to give. */
  readonly asks: AskKind | null
  readonly attempt: LiveAttempt | null
}

/** What a live view is made from: a run and its live attempts, as their ledgers tell, and the time. */
export interface LiveSources extends ReasonSources {
  readonly pace: Pace
  readonly attempts: ReadonlyMap<AttemptId, FollowedAttempt>
  readonly activities: ReadonlyMap<AttemptId, ShownActivity>
}

/** Tells where a run stands now. Order and estimate look at every task: given again, they are taken as they are. */
export function liveModel(sources: LiveSources, slow: SlowParts = slowParts(sources)): LiveModel {
  const { run, attempts, at, isDriven } = sources
  const reasonOf = taskReasons(sources)
  return {
    run: { id: run.id ?? '', state: runStanding(sources), target: run.target },
    isDriven,
    at,
    ...slow,
    elapsedMs: run.startedAt === null ? null : (run.endedAt ?? at) - run.startedAt,
    counts: run.counts,
    total: run.tasks.size,
    spent: [...attempts.values()].reduce((sum, { state }) => addTotals(sum, state.totals), run.totals),
    budgetUsd: run.settings?.budget.runUsd ?? null,
    limits: [...run.limits].map(([what, { until, estimated }]) => ({
      what,
      isEstimated: estimated,
      leftMs: Math.max(0, until - at),
    })),
    held: heldLines(run),
    task(id) {
      const record = taskOf(run, id)
      const { task, standing, landed } = record
      const reason = landed === null ? (reasonOf(record) ?? '') : landed.commit.slice(0, COMMIT_LENGTH)
      return { id, title: task.title, standing, reason, asks: asksOf(run, record), attempt: attemptOf(sources, id) }
    },
  }
}

function asksOf({ attempts }: RunState, { live }: TaskRecord): AskKind | null {
  const wait = live === null ? undefined : attempts.get(live)?.wait
  return wait?.kind === 'person' ? wait.asks : null
}

/** The parts of a live view that look at every task. */
export interface SlowParts {
  readonly groups: readonly TaskGroup[]
  readonly estimate: Estimate
}

export function slowParts({ run, pace, at }: LiveSources): SlowParts {
  const slots = run.settings === null ? 1 : slotsMax(run)
  return { groups: orderTasks(run), estimate: estimateOf({ run, pace, slots, at }) }
}

const COMMIT_LENGTH = 10

function attemptOf({ run, attempts, activities, isDriven, at }: LiveSources, task: TaskId): LiveAttempt | null {
  const { live, landed } = taskOf(run, task)
  const followed = live === null || landed !== null ? undefined : attempts.get(live)
  if (live === null || followed === undefined) return null
  return liveAttempt(live, followed, { activity: activities.get(live), isDriven, at })
}

function heldLines({ lineHeld, targetHeld, target, baseline }: RunState): readonly string[] {
  return [
    ...(lineHeld === null ? [] : [`Landing is held: ${lineHeld.reason} ${lineHeld.hint}`]),
    ...(targetHeld === null ? [] : [`${target} stays behind what landed: ${targetHeld.reason}`]),
    ...(baseline === null || baseline.passed ? [] : ['The checks were red before any work.']),
  ]
}

import type { ShownActivity } from '../../model/activity.ts'
import type { AskKind } from '../../model/attempt.ts'
import type { AttemptId, TaskId } from '../../model/ids.ts'
import { addTotals, type Totals } from '../../model/usage.ts'
import { slotsMax } from '../../run/slots.ts'
import { type RunState, type Standing, type TaskRecord, taskOf } from '../../run/state.ts'
import { sentence } from '../line-parts.ts'
import { type RunStanding, runStanding } from '../status.ts'
import { type ReasonSources, taskReasons } from '../task-reason.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import { type FollowedAttempt, type LiveAttempt, liveAttempt } from './live-attempt.ts'
import { orderTasks, type TaskGroup } from './order-tasks.ts'
import type { Pace } from './pace.ts'

/** Everything a live view shows of a run; single tasks are computed on demand. */
export interface LiveModel {
  readonly run: { readonly id: string; readonly state: RunStanding; readonly target: string }
  readonly isDriven: boolean
  readonly at: number
  /** Time since the run first started, or null before that. */
  readonly elapsedMs: number | null
  readonly counts: Readonly<Record<Standing, number>>
  readonly total: number
  readonly spent: Totals
  readonly budgetUsd: number | null
  readonly estimate: Estimate
  readonly limits: readonly { readonly what: string; readonly leftMs: number; readonly isEstimated: boolean }[]
  /** Problems that hold up the whole run, one per line. */
  readonly held: readonly string[]
  readonly groups: readonly TaskGroup[]
  task(id: TaskId): LiveTask
}

/** Row of a live view. */
export interface LiveTask {
  readonly id: TaskId
  readonly title: string
  readonly standing: Standing
  /** Explanation of its state. */
  readonly reason: string
  /** Input that it needs from the user. */
  readonly asks: AskKind | null
  readonly attempt: LiveAttempt | null
}

/** Inputs of a live view: a run, its live attempts and the time. */
export interface LiveSources extends ReasonSources {
  readonly pace: Pace
  readonly attempts: ReadonlyMap<AttemptId, FollowedAttempt>
  readonly activities: ReadonlyMap<AttemptId, ShownActivity>
}

/** Builds a live view. Order and estimate look at every task, so a caller that redraws often can pass the last ones. */
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

/** Parts of a live view that look at every task. */
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

function heldLines({ lineHeld, targetHeld, target, baseline, settingsFault }: RunState): readonly string[] {
  return [
    ...(lineHeld === null ? [] : [`Landing is on hold: ${sentence(lineHeld.reason)} ${lineHeld.hint}`]),
    ...(targetHeld === null ? [] : [`${target} is behind the landed work: ${targetHeld.reason}`]),
    ...(settingsFault === null ? [] : [`Changed settings were not adopted: ${settingsFault}`]),
    ...(baseline === null || baseline.passed ? [] : ['The baseline checks failed.']),
  ]
}

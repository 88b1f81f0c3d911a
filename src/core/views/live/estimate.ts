import { durationText } from '../../limits/duration-text.ts'
import type { TaskId } from '../../model/ids.ts'
import type { Weight } from '../../model/task.ts'
import type { RunState, TaskRecord } from '../../run/state.ts'
import { chainLengths } from '../../schedule/graph-queries.ts'
import { type Pace, workedMs } from './pace.ts'

/** Remaining time of a run, estimated from its own finished tasks. */
export type Estimate =
  /** No task can continue without the user. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'range'; readonly fromMs: number; readonly toMs: number; readonly why: string }

/** Inputs of an estimate. */
export interface EstimateSources {
  readonly run: RunState
  readonly pace: Pace
  readonly slots: number
  readonly at: number
}

const FINISHED_MIN = 3
/** Number of standard deviations that hold four of five outcomes. */
const DEVIATIONS = 1.28
/** Lowest spread, as a share of the mean: a few tasks can be alike by chance. */
const SPREAD_MIN = 0.25

/** Estimates the remaining time of a run, once enough tasks have finished. */
export function estimateOf(sources: EstimateSources): Estimate {
  const { run, pace, slots } = sources
  const left = [...run.tasks.values()].filter(({ standing }) => CONTINUES.has(standing))
  if (left.length === 0) return { kind: 'none' }
  const missing = FINISHED_MIN - pace.finished.length
  if (missing > 0)
    return { kind: 'unknown', why: `known after ${missing} more finished ${missing === 1 ? 'task' : 'tasks'}` }
  const all = spreadOf(pace.finished.map(({ ms }) => ms))
  const leftMs = leftMsByTask(sources, left)
  const workMs = [...leftMs.values()].reduce((sum, ms) => sum + ms, 0)
  const chains = chainLengths(run.graph, (task) => leftMs.get(task) ?? 0)
  const chainMs = [...chains.values()].reduce((longest, ms) => Math.max(longest, ms), 0)
  const [work, chain] = [range(workMs, all, slots), range(chainMs, all, 1)]
  return {
    kind: 'range',
    fromMs: Math.max(work.fromMs, chain.fromMs),
    toMs: Math.max(work.toMs, chain.toMs),
    why: `${all.count} finished tasks took ${durationText(all.mean)} on average; ${left.length} left, ${slots} in parallel`,
  }
}

const CONTINUES: ReadonlySet<TaskRecord['standing']> = new Set(['waiting', 'ready', 'running', 'landing', 'parked'])

interface Spread {
  readonly count: number
  readonly mean: number
  readonly deviation: number
}

function spreadOf(durations: readonly number[]): Spread {
  const count = durations.length
  const mean = durations.reduce((sum, ms) => sum + ms, 0) / count
  const variance = durations.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / Math.max(1, count - 1)
  return { count, mean, deviation: Math.max(Math.sqrt(variance), SPREAD_MIN * mean) }
}

/** Returns the remaining time of each task from the mean of its weight; at least a tenth of it, however long the task has run. */
function leftMsByTask({ pace, at }: EstimateSources, left: readonly TaskRecord[]): ReadonlyMap<TaskId, number> {
  const means = meansByWeight(pace)
  return new Map(
    left.map(({ task, live }) => {
      const mean = means(task.weight)
      return [task.id, Math.max(mean - workedMs(pace, task.id, live, at), mean * LEFT_SHARE_MIN)]
    }),
  )
}

const LEFT_SHARE_MIN = 0.1

function meansByWeight({ finished }: Pace): (weight: Weight) => number {
  const known = new Map<Weight, number>()
  return (weight) => {
    const mean = known.get(weight) ?? meanFor(finished, weight)
    known.set(weight, mean)
    return mean
  }
}

function meanFor(finished: Pace['finished'], weight: Weight): number {
  const alike = finished.filter((task) => task.weight === weight)
  return spreadOf((alike.length >= FINISHED_MIN ? alike : finished).map(({ ms }) => ms)).mean
}

/** Returns the likely range of a sum of durations: they vary, and so would the mean with other finished tasks. */
function range(ms: number, { count, mean, deviation }: Spread, slots: number): { fromMs: number; toMs: number } {
  const tasks = mean === 0 ? 0 : ms / mean
  const around = DEVIATIONS * deviation * Math.sqrt(tasks + tasks ** 2 / count)
  return { fromMs: Math.max(0, ms - around) / slots, toMs: (ms + around) / slots }
}

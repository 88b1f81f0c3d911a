import type { TaskId } from '../../model/ids.ts'
import type { Weight } from '../../model/task.ts'
import type { RunState, TaskRecord } from '../../run/state.ts'
import { chainLengths } from '../../schedule/graph.ts'
import { durationText } from '../duration-text.ts'
import { type Pace, workedMs } from './pace.ts'

/** How much longer a run will take, as far as its own finished tasks tell. */
export type Estimate =
  /** Nothing is left that goes on by itself. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'range'; readonly fromMs: number; readonly toMs: number; readonly why: string }

/** What an estimate is made from. */
export interface EstimateSources {
  readonly run: RunState
  readonly pace: Pace
  readonly slots: number
  readonly at: number
}

const FINISHED_MIN = 3
/** Four of five outcomes lie within so many standard deviations. */
const DEVIATIONS = 1.28
/** Few tasks can be alike by chance: less spread than this share of their mean is not believed. */
const SPREAD_MIN = 0.25

/** Tells how much longer a run will take; only with enough finished tasks to tell from. */
export function estimateOf(sources: EstimateSources): Estimate {
  const { run, pace, slots } = sources
  const left = [...run.tasks.values()].filter(({ standing }) => GOES_ON.has(standing))
  if (left.length === 0) return { kind: 'none' }
  const missing = FINISHED_MIN - pace.finished.length
  if (missing > 0) return { kind: 'unknown', why: `known after ${missing} more finished ${tasksWord(missing)}` }
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
    why: `${all.count} finished tasks took ${durationText(all.mean)} each on average; ${left.length} are left, ${slots} at once`,
  }
}

const GOES_ON: ReadonlySet<TaskRecord['standing']> = new Set(['waiting', 'ready', 'running', 'landing', 'parked'])

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

/** What each task still needs if it takes as long as those of its weight did: at least a tenth, however long it has gone on. */
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

/** Where a sum of unknown durations lies: they vary, and so would the mean with other finished tasks. */
function range(ms: number, { count, mean, deviation }: Spread, slots: number): { fromMs: number; toMs: number } {
  const tasks = mean === 0 ? 0 : ms / mean
  const around = DEVIATIONS * deviation * Math.sqrt(tasks + tasks ** 2 / count)
  return { fromMs: Math.max(0, ms - around) / slots, toMs: (ms + around) / slots }
}

function tasksWord(count: number): string {
  return count === 1 ? 'task' : 'tasks'
}

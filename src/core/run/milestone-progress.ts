import type { MilestoneId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { milestonesBefore } from '../schedule/graph-queries.ts'
import type { MilestoneProgress, RunState, Standing } from './state.ts'

type Summarized = Extract<RunEvent, { kind: 'milestone-summarized' }>

/** Counts a task's change of state in its milestone; null stands for a task outside of the milestone. */
export function countInMilestone(
  state: RunState,
  milestone: MilestoneId | null,
  was: Standing | null,
  is: Standing | null,
): void {
  if (milestone === null) return
  const progress = progressOf(state, milestone)
  if (was !== null) count(progress, was, -1)
  if (is !== null) count(progress, is, 1)
  const isOver = progress.open === 0 && progress.ended > 0
  // A milestone that was worked on again needs a new summary.
  if (!isOver) progress.summary = null
  if (isOver && progress.summary === null) state.unsummarized.add(milestone)
  else state.unsummarized.delete(milestone)
}

/** Folds the summary of a milestone into a run's state. */
export function evolveSummary(state: RunState, { milestone, summary, by, why }: Summarized): void {
  const progress = progressOf(state, milestone)
  progress.summaries += 1
  progress.summary = { text: summary, by, why }
  state.unsummarized.delete(milestone)
}

/** True when a milestone right before this one has no summary yet. */
export function awaitsSummary({ graph, progress }: RunState, milestone: MilestoneId | null): boolean {
  if (milestone === null) return false
  return milestonesBefore(graph, milestone).some((before) => (progress.get(before)?.summary ?? null) === null)
}

function progressOf({ progress }: RunState, milestone: MilestoneId): MilestoneProgress {
  const known = progress.get(milestone)
  if (known !== undefined) return known
  const fresh: MilestoneProgress = { open: 0, ended: 0, summaries: 0, summary: null }
  progress.set(milestone, fresh)
  return fresh
}

/** Ignores blocked tasks: they may never start, so they neither keep a milestone open nor finish it. */
function count(progress: MilestoneProgress, standing: Standing, by: 1 | -1): void {
  if (standing === 'blocked') return
  if (ENDED.has(standing)) progress.ended += by
  else progress.open += by
}

const ENDED: ReadonlySet<Standing> = new Set(['done', 'failed', 'skipped', 'reverted'])

import type { MilestoneId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { milestonesBefore } from '../schedule/graph.ts'
import type { MilestoneProgress, RunState, Standing } from './state.ts'

type SummedUp = Extract<RunEvent, { kind: 'milestone-summarized' }>

/** A task of a milestone stands otherwise than before; null: it was, or is, not in it. */
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
  // What a milestone came to is told anew once it has been worked on again.
  if (!isOver) progress.summary = null
  if (isOver && progress.summary === null) state.unsummarized.add(milestone)
  else state.unsummarized.delete(milestone)
}

/** Takes in that a milestone was summed up. */
export function evolveSummary(state: RunState, { milestone, summary, by, why }: SummedUp): void {
  const progress = progressOf(state, milestone)
  progress.summaries += 1
  progress.summary = { text: summary, by, why }
  state.unsummarized.delete(milestone)
}

/** Whether a milestone that comes right before this one has still to be summed up. */
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

/** What is blocked may never be worked on: it neither keeps a milestone open nor ends it. */
function count(progress: MilestoneProgress, standing: Standing, by: 1 | -1): void {
  if (standing === 'blocked') return
  if (standing === 'done' || standing === 'failed' || standing === 'skipped') progress.ended += by
  else progress.open += by
}

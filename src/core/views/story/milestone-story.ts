import type { MilestoneId, RunId } from '../../model/ids.ts'
import { type RunState, taskOf } from '../../run/state.ts'
import { milestonesBefore, tasksIn } from '../../schedule/graph-queries.ts'
import type { Neighbour } from './task-story.ts'

/** Full description of a milestone. */
export interface MilestoneStory {
  readonly run: RunId | null
  readonly id: MilestoneId
  readonly title: string
  readonly brief: string
  /** Milestones right before it. */
  readonly after: readonly MilestoneId[]
  readonly tasks: readonly Neighbour[]
  /** Its summary, or null until it has finished. */
  readonly summary: { readonly text: string; readonly by: 'judge' | 'facts'; readonly why: string } | null
}

/** Describes a milestone, or returns null when the run has none with this id; `texts` are keyed by digest. */
export function milestoneStory(
  run: RunState,
  id: MilestoneId,
  texts: ReadonlyMap<string, string>,
): MilestoneStory | null {
  const milestone = run.milestones.get(id)
  if (milestone === undefined) return null
  const summary = run.progress.get(id)?.summary ?? null
  return {
    run: run.id,
    id,
    title: milestone.title,
    brief: milestone.brief,
    after: milestonesBefore(run.graph, id),
    tasks: tasksIn(run.graph, id).map((task) => {
      const record = taskOf(run, task)
      return { id: task, title: record.task.title, state: record.standing }
    }),
    summary: summary === null ? null : { ...summary, text: texts.get(summary.text ?? '') ?? '' },
  }
}

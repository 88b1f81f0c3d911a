import type { MilestoneId, RunId } from '../../model/ids.ts'
import { type RunState, taskOf } from '../../run/state.ts'
import { milestonesBefore, tasksIn } from '../../schedule/graph.ts'
import type { Neighbour } from './task-story.ts'

/** Everything that is known of one milestone. */
export interface MilestoneStory {
  readonly run: RunId | null
  readonly id: MilestoneId
  readonly title: string
  readonly brief: string
  /** The milestones right before it. */
  readonly after: readonly MilestoneId[]
  readonly tasks: readonly Neighbour[]
  /** What it came to; null: it is not over. */
  readonly summary: { readonly text: string; readonly by: 'judge' | 'facts'; readonly why: string } | null
}

/** Tells what has become of a milestone; null: the run has none of this name. `texts`: by digest. */
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

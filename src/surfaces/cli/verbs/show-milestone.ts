import { type MilestoneId, runLedger } from '../../../core/model/ids.ts'
import type { RunEvent } from '../../../core/model/run-event.ts'
import { evolveRun } from '../../../core/run/evolve.ts'
import { newRun } from '../../../core/run/state.ts'
import { type MilestoneStory, milestoneStory } from '../../../core/views/story/milestone-story.ts'
import { readBlobs } from '../../../engine/effect-result.ts'
import type { Store } from '../../../ports/store.ts'
import type { Output } from '../output.ts'
import { indented, left } from '../render/columns.ts'
import { currentRun, readRuns } from '../repository/runs.ts'

/** Finds a milestone in the current run, or null. */
export async function findMilestone(store: Store, id: MilestoneId): Promise<MilestoneStory | null> {
  const current = currentRun(await readRuns(store))
  if (current === null) return null
  const run = newRun()
  for await (const chunk of store.read(runLedger(current.run), 0)) {
    for (const { event, at } of chunk) evolveRun(run, event as RunEvent, at)
  }
  const summary = run.progress.get(id)?.summary?.text ?? null
  return milestoneStory(run, id, await readBlobs(store, summary === null ? [] : [summary]))
}

/** Renders a milestone for people, on one page. */
export function renderMilestone(
  { id, title, brief, after, tasks, summary }: MilestoneStory,
  { colors, width }: Pick<Output, 'colors' | 'width'>,
): readonly string[] {
  const by = summary?.by === 'judge' ? 'by the judge' : 'without the judge'
  return [
    colors.bold(`milestone ${id}: ${title}`),
    ...(after.length === 0 ? [] : [`after ${after.join(', ')}`]),
    ...(brief === '' ? [] : ['', ...indented(brief, 2, width)]),
    '',
    colors.bold('Tasks'),
    ...tasks.map((task) => `  ${left(task.id, 14)}  ${left(task.state, 12)}  ${task.title}`),
    '',
    colors.bold(summary === null ? 'Summary: not finished yet' : `Summary, ${by} (${summary.why})`),
    ...(summary === null ? [] : indented(summary.text, 2, width)),
  ]
}

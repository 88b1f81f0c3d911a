import type { FileChange } from '../../../core/model/file-change.ts'
import { RUN_PURPOSE } from '../../../core/model/lease.ts'
import { isProblem } from '../../../core/model/problem.ts'
import { dossierOf } from '../../../core/views/dossier/dossier.ts'
import { type CommitRange, changeRanges, rangeName } from '../../../core/views/dossier/dossier-attempts.ts'
import type { TaskStory } from '../../../core/views/story/task-story.ts'
import type { Changes, Repository, State } from '../../../ports/repository.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { renderDossier } from '../render/render-dossier.ts'
import type { TaskFound } from '../repository/read-story.ts'
import { currentRun, readRuns } from '../repository/runs.ts'
import type { VerbContext } from '../verb.ts'

/** Prints a task's dossier, for the person who decides on it. */
export async function showDossier(
  { output }: VerbContext,
  { changes }: Repository,
  state: State,
  { taskFound, story }: { readonly taskFound: TaskFound; readonly story: TaskStory },
): Promise<ExitCode> {
  const isCurrent = currentRun(await readRuns(state.store))?.run === taskFound.run.id
  const dossier = dossierOf({
    story,
    run: isCurrent ? taskFound.run : null,
    isDriven: (await state.leases.holder())?.purpose === RUN_PURPOSE,
    changes: await changesOf(changes, changeRanges(story)),
  })
  output.json(dossier)
  for (const line of renderDossier(dossier, output)) output.line(line)
  return EXIT.done
}

async function changesOf(
  changes: Changes,
  spans: readonly CommitRange[],
): Promise<ReadonlyMap<string, readonly FileChange[] | null>> {
  const known = new Map<string, readonly FileChange[] | null>()
  for (const span of spans) known.set(rangeName(span), await filesOf(changes, span))
  return known
}

/** Lists the changed files, or null when the repository no longer has both commits. */
async function filesOf(changes: Changes, { from, to }: CommitRange): Promise<readonly FileChange[] | null> {
  if (from === to) return []
  const [first, last] = [await changes.commitAt(from), await changes.commitAt(to)]
  if (first === null || last === null || isProblem(first) || isProblem(last)) return null
  const files = await changes.files(first, last)
  return isProblem(files) ? null : files
}

import type { Answer } from '../../../core/model/attempt-event.ts'
import type { TaskId } from '../../../core/model/ids.ts'
import type { Request } from '../../../core/model/input.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { askRun } from '../repository/ask-run.ts'
import { attemptsBefore } from '../repository/attempts-before.ts'
import { findRepository, type OpenRepository, openRepositoryFor } from '../repository/open-repository.ts'
import { currentRun, foldRun, readRuns } from '../repository/runs.ts'
import type { VerbContext } from '../verb.ts'

/** Says yes or no to a task that an agent proposed; null: none of this name has been proposed. */
export async function decideProposal(
  { world, output }: VerbContext,
  task: TaskId,
  answer: Answer & { readonly kind: 'approved' | 'rejected' },
): Promise<ExitCode | null> {
  const place = await findRepository({ world })
  if (!place.hasState()) return null
  const desk = await openRepositoryFor(world, place, 'neither')
  try {
    if (!(await isProposed(desk, task))) return null
    const request = await requestFor(desk, task, answer)
    const { byEngine } = await askRun(desk, { purpose: 'answer', request, opening: null })
    output.json({ task, answer: answer.kind, text: answer.text, byEngine })
    output.line(answer.kind === 'approved' ? addedText(task, byEngine) : `${task} is declined; nothing of it was run.`)
    return EXIT.done
  } finally {
    await desk.close()
  }
}

async function isProposed({ state }: OpenRepository, task: TaskId): Promise<boolean> {
  const found = currentRun(await readRuns(state.store))
  return found !== null && (await foldRun(state.store, found.run)).proposals.has(task)
}

async function requestFor(desk: OpenRepository, task: TaskId, { kind, text }: Answer): Promise<Request> {
  if (kind === 'rejected') return { kind: 'decline-proposal', task, text }
  const tried = await attemptsBefore(desk, [task])
  return { kind: 'accept-proposal', task, attemptsBefore: tried[task] ?? 0, text }
}

function addedText(task: TaskId, byEngine: boolean): string {
  const then = byEngine ? 'The engine that is running goes on with it.' : 'Next: longhaul run'
  return `${task} is now a task, and its commands are among its checks. ${then}`
}

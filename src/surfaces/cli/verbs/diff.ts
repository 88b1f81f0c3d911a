import type { Commit, TaskId } from '../../../core/model/ids.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import { short } from '../../../core/views/line-parts.ts'
import { type TaskWork, workOf } from '../../../core/views/story/work-of.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { noRun } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import { findTask, readStory } from '../repository/read-story.ts'
import { argument, type Verb, type VerbContext } from '../verb.ts'

/** `longhaul diff`: what a task changed. */
export const diffVerb: Verb = {
  about:
    'Shows what a task changed: what landed, against the commit before it; else the latest attempt, against where it started.',
  examples: ['longhaul diff fix-login', 'longhaul diff fix-login --stat'],
  shape: (command) =>
    void command
      .argument('<task>', 'the task')
      .option('--stat', 'print files and how much changed in each')
      .option('--json', 'print files and how much changed in each as JSON'),
  async run(context, given) {
    const place = await findRepository(context)
    const task = argument(given, 0) as TaskId
    const span = await spanOf(context, place, task)
    if (span === null) {
      context.output.json({ task, attempt: null, of: null, from: null, to: null, files: [] })
      context.output.line(`Nothing has been changed for ${task} yet.`)
      return EXIT.done
    }
    await show(context, place, { task, ...span }, given.options.stat === true ? 'stat' : 'patch')
    return EXIT.done
  },
}

/** Two commits with a task's work between them. */
interface Span {
  readonly attempt: string
  readonly of: 'landed' | 'saved' | 'salvaged'
  readonly from: Commit
  readonly to: Commit
}

async function spanOf({ world }: VerbContext, place: Repository, task: TaskId): Promise<Span | null> {
  if (!place.hasState()) throw new ProblemError(noRun())
  const state = unwrap(await place.openState())
  try {
    const found = unwrap(await findTask(state.store, task))
    const work = workOf(await readStory(world, place, state, found))
    return work === null ? null : await foundIn(place, work)
  } finally {
    await state.store.close()
  }
}

/** The commits, as far as the repository still has them. */
async function foundIn({ changes }: Repository, work: TaskWork): Promise<Span> {
  const { attempt } = work
  const have = async (name: string) =>
    unwrap(await changes.commitAt(name)) ??
    refuse('work-gone', `The work of ${attempt} is not in this repository any more (${name}).`, WORK_GONE)
  if (work.kind === 'landed') {
    const to = await have(work.commit)
    return { attempt, of: 'landed', from: await have(`${work.commit}^1`), to }
  }
  const from = await have(work.base)
  for (const ref of work.salvage) {
    const to = unwrap(await changes.commitAt(ref))
    if (to !== null) return { attempt, of: 'salvaged', from, to }
  }
  return { attempt, of: 'saved', from, to: await have(work.commit) }
}

const WORK_GONE = 'It was removed with its branch; "longhaul show TASK" still tells what happened.'

async function show(
  { output }: VerbContext,
  { changes }: Repository,
  span: Span & { readonly task: TaskId },
  form: 'patch' | 'stat',
): Promise<void> {
  const { attempt, of, from, to } = span
  if (output.isJson) return output.json({ ...span, files: unwrap(await changes.files(from, to)) })
  const colors = output.colors.isColorSupported ? 'on' : 'off'
  const text = unwrap(await changes.text(from, to, { form, colors, width: output.width }))
  output.remark(`${attempt}, ${of}: ${short(from)} → ${short(to)}`)
  output.line(text === '' ? 'Nothing differs.' : text.replace(/\n$/, ''))
}

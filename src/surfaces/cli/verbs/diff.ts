import type { Commit, TaskId } from '../../../core/model/ids.ts'
import { ProblemError, unwrap } from '../../../core/model/problem.ts'
import { short } from '../../../core/views/line-parts.ts'
import { type TaskWork, workOf } from '../../../core/views/story/work-of.ts'
import type { Repository } from '../../../ports/repository.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { missingRun } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import { findTask, readStory } from '../repository/read-story.ts'
import { argument, type Verb, type VerbContext } from '../verb.ts'

/** `longhaul diff`: what a task changed. */
export const diffVerb: Verb = {
  about:
    'Shows what a task changed: its landed commit against the commit before it, or else its latest attempt against its base.',
  examples: ['longhaul diff fix-login', 'longhaul diff fix-login --stat'],
  shape: (command) =>
    void command
      .argument('<task>', 'the task')
      .option('--stat', 'print the changed files with line counts')
      .option('--json', 'print the changed files with line counts as JSON'),
  async run(context, typed) {
    const repository = await findRepository(context)
    const task = argument(typed, 0) as TaskId
    const span = await spanOf(context, repository, task)
    if (span === null) {
      context.output.json({ task, attempt: null, of: null, from: null, to: null, files: [] })
      context.output.line(`${task} has not changed anything yet.`)
      return EXIT.done
    }
    await show(context, repository, { task, ...span }, typed.options.stat === true ? 'stat' : 'patch')
    return EXIT.done
  },
}

/** The commits before and after a task's work. */
interface Span {
  readonly attempt: string
  readonly of: 'landed' | 'saved' | 'salvaged'
  readonly from: Commit
  readonly to: Commit
}

async function spanOf({ world }: VerbContext, repository: Repository, task: TaskId): Promise<Span | null> {
  if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
  const state = unwrap(await repository.readState())
  try {
    const taskFound = unwrap(await findTask(state.store, task))
    const work = workOf(await readStory(world, repository, state, taskFound))
    return work === null ? null : await spanIn(repository, work)
  } finally {
    await state.store.close()
  }
}

/** Resolves the commits, as far as the repository still has them. */
async function spanIn({ changes }: Repository, work: TaskWork): Promise<Span> {
  const { attempt } = work
  const resolve = async (name: string) =>
    unwrap(await changes.commitAt(name)) ??
    refuse('work-gone', `The work of ${attempt} is no longer in this repository (${name}).`, WORK_GONE)
  if (work.kind === 'landed') {
    const to = await resolve(work.commit)
    return { attempt, of: 'landed', from: await resolve(`${work.commit}^1`), to }
  }
  const from = await resolve(work.base)
  for (const ref of work.salvage) {
    const to = unwrap(await changes.commitAt(ref))
    if (to !== null) return { attempt, of: 'salvaged', from, to }
  }
  return { attempt, of: 'saved', from, to: await resolve(work.commit) }
}

const WORK_GONE = 'It was removed with its branch; "longhaul show TASK" still shows what happened.'

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
  output.line(text === '' ? 'No differences.' : text.replace(/\n$/, ''))
}

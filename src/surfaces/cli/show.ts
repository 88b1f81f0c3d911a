import type { TaskId } from '../../core/model/ids.ts'
import { firstPrompt } from '../../core/run/first-prompt.ts'
import type { TaskStory } from '../../core/views/story/task-story.ts'
import { noRun } from './ask-run.ts'
import { findPlace } from './desk.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { findTask, readStory, type TaskFound } from './read-story.ts'
import { need, Refusal } from './refusal.ts'
import { renderStory } from './render-story.ts'
import { argument, type Context, type Verb } from './verb.ts'
import type { Place } from './world.ts'

/** `longhaul show`: a task's whole story. */
export const showVerb: Verb = {
  about:
    'Shows all that is known of a task: what is wanted, what it waits for, and each attempt with its rounds, checks, commits, hand-offs and what it spent.',
  examples: ['longhaul show fix-login', 'longhaul show fix-login --receipts', 'longhaul show fix-login --prompt'],
  shape: (command) =>
    void command
      .argument('<task>', 'the task')
      .option('--receipts', 'print every receipt whole')
      .option('--notes', 'print every hand-off note whole')
      .option('--prompt', 'print the prompt that was last sent, or will be sent first, instead')
      .option('--json', 'print the story as JSON'),
  async run(context, given) {
    const place = await findPlace(context)
    if (!place.hasState()) throw new Refusal([noRun()])
    const state = need(await place.openState())
    try {
      const found = need(await findTask(state.store, argument(given, 0) as TaskId))
      const story = await readStory(context.world, place, state, found)
      if (given.options.prompt === true) return await showPrompt(context, place, found, story)
      context.output.json(story)
      const { colors, width } = context.output
      const receipts = given.options.receipts === true ? 'whole' : 'short'
      const notes = given.options.notes === true ? 'whole' : 'short'
      for (const line of renderStory(story, { colors, width, receipts, notes })) context.output.line(line)
      return EXIT.done
    } finally {
      await state.store.close()
    }
  },
}

/** The prompt itself is all that goes to stdout, so that it can be kept in a file. */
async function showPrompt(
  { output }: Context,
  place: Place,
  { run, task }: TaskFound,
  { attempts }: TaskStory,
): Promise<ExitCode> {
  const attempt = attempts.findLast(({ rounds }) => rounds.length > 0)
  const round = attempt?.rounds.at(-1)
  const sent = attempt === undefined || round === undefined ? null : await place.promptOf(attempt.id, round.round)
  if (attempt === undefined || round === undefined || sent === null) {
    const prompt = firstPrompt(run, task)
    output.json({ task, attempt: null, round: null, sentAt: null, prompt })
    output.remark('This will be sent first:')
    output.line(prompt)
    return EXIT.done
  }
  output.json({ task, attempt: attempt.id, round: round.round, sentAt: round.startedAt, prompt: sent })
  output.remark(`Sent in round ${round.round} of ${attempt.id}, ${round.startedAt}:`)
  output.line(sent)
  return EXIT.done
}

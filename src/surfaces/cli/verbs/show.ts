import { Option } from 'commander'
import type { MilestoneId, TaskId } from '../../../core/model/ids.ts'
import { isProblem, ProblemError, problem, unwrap } from '../../../core/model/problem.ts'
import { insertTexts, textDigestsIn } from '../../../core/prompts/text-placeholder.ts'
import { firstPrompt } from '../../../core/run/first-prompt.ts'
import type { MilestoneStory } from '../../../core/views/story/milestone-story.ts'
import type { TaskStory } from '../../../core/views/story/task-story.ts'
import { readBlobs } from '../../../engine/effect-result.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { Store } from '../../../ports/store.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { renderStory } from '../render/render-story.ts'
import { noRun } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import { findTask, readStory, type TaskFound } from '../repository/read-story.ts'
import type { Verb, VerbContext } from '../verb.ts'
import { showDossier } from './show-dossier.ts'
import { showKnowledge, showProposal } from './show-knowledge.ts'
import { findMilestone, renderMilestone } from './show-milestone.ts'

/** `longhaul show`: a task's whole story, or a milestone's. */
export const showVerb: Verb = {
  about:
    'Shows all that is known of a task: what is wanted, what it waits for, and each attempt with its rounds, checks, commits, hand-offs and what it spent. Of a milestone: its tasks, and what it came to. Of a task that an agent proposed: all that it proposed.',
  examples: [
    'longhaul show fix-login',
    'longhaul show fix-login --dossier',
    'longhaul show fix-login --prompt',
    'longhaul show first-milestone',
    'longhaul show --knowledge',
  ],
  shape: (command) =>
    void command
      .argument('[task]', 'the task, or a milestone')
      .addOption(
        new Option(
          '--dossier',
          'print on one page what you need to decide: what was tried, what came again, what you can do',
        ).conflicts(['receipts', 'notes', 'prompt', 'knowledge']),
      )
      .option('--receipts', 'print every receipt whole')
      .option('--notes', 'print every hand-off note whole')
      .addOption(
        new Option('--prompt', 'print the prompt that was last sent, or will be sent first, instead').conflicts([
          'receipts',
          'notes',
          'knowledge',
        ]),
      )
      .addOption(
        new Option('--round <number>', 'the prompt of this round of its last attempt').implies({ prompt: true }),
      )
      .option('--knowledge', 'print what agents have learned in this repository, instead of a task')
      .option('--json', 'print the story as JSON'),
  async run(context, given) {
    const place = await findRepository(context)
    if (!place.hasState()) throw new ProblemError(noRun())
    const state = unwrap(await place.openState())
    try {
      if (given.options.knowledge === true) return await showKnowledge(context, place, state.store)
      const [task] = given.args
      if (task === undefined) throw new ProblemError(nothingNamed())
      const found = await findTask(state.store, task as TaskId)
      const milestone = isProblem(found) ? await findMilestone(state.store, task as MilestoneId) : null
      if (milestone !== null) return showMilestone(context, milestone)
      if (isProblem(found)) return await showProposal(context, state.store, task as TaskId, found)
      const story = await readStory(context.world, place, state, found)
      if (given.options.prompt === true) {
        return await showPrompt(context, place, found, { story, store: state.store, wanted: given.options.round })
      }
      if (given.options.dossier === true) return await showDossier(context, place, state, { found, story })
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

function roundOf<Round extends { readonly round: number }>(
  rounds: readonly Round[],
  wanted: string,
  task: TaskId,
): Round {
  const found = rounds.find(({ round }) => String(round) === wanted)
  if (found !== undefined) return found
  const known = rounds.map(({ round }) => round).join(', ') || 'none so far'
  return refuse('wrong-use', `The last attempt of ${task} has no round ${wanted}.`, `Its rounds: ${known}.`)
}

function nothingNamed() {
  return problem({
    code: 'wrong-use',
    message: 'Which task is to be shown?',
    hint: 'Name one ("longhaul status" lists them), or ask for --knowledge.',
    retry: 'never',
  })
}

function showMilestone({ output }: VerbContext, story: MilestoneStory): ExitCode {
  output.json(story)
  for (const line of renderMilestone(story, output)) output.line(line)
  return EXIT.done
}

/** Which prompt is meant, and where long texts in it are kept. */
interface PromptAsked {
  readonly story: TaskStory
  readonly store: Store
  /** The number of a round, as it was typed. */
  readonly wanted: unknown
}

/** The prompt itself is all that goes to stdout, so that it can be kept in a file. */
async function showPrompt(
  { output }: VerbContext,
  place: Repository,
  { run, task }: TaskFound,
  { story: { attempts }, store, wanted }: PromptAsked,
): Promise<ExitCode> {
  const attempt = attempts.findLast(({ rounds }) => rounds.length > 0)
  const round = wanted === undefined ? attempt?.rounds.at(-1) : roundOf(attempt?.rounds ?? [], String(wanted), task)
  const sent = attempt === undefined || round === undefined ? null : await place.promptOf(attempt.id, round.round)
  if (attempt === undefined || round === undefined || sent === null) {
    const first = firstPrompt(run, task)
    const prompt = insertTexts(first, await readBlobs(store, textDigestsIn(first)))
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

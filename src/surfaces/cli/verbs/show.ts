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
import { missingRun } from '../repository/ask-run.ts'
import { findRepository } from '../repository/open-repository.ts'
import { findTask, readStory, type TaskFound } from '../repository/read-story.ts'
import type { Verb, VerbContext } from '../verb.ts'
import { showDossier } from './show-dossier.ts'
import { showKnowledge, showProposal } from './show-knowledge.ts'
import { findMilestone, renderMilestone } from './show-milestone.ts'

/** `longhaul show`: shows the full history of a task, or a milestone. */
export const showVerb: Verb = {
  about:
    'Shows everything about a task: its brief, what it waits for, and each attempt with its rounds, checks, commits, hand-offs and cost. For a milestone: its tasks and its summary. For a task that an agent proposed: the whole proposal.',
  examples: [
    'longhaul show fix-login',
    'longhaul show fix-login --dossier',
    'longhaul show fix-login --prompt',
    'longhaul show first-milestone',
    'longhaul show --knowledge',
  ],
  shape: (command) =>
    void command
      .argument('[task]', 'the task, milestone or proposed task')
      .addOption(
        new Option(
          '--dossier',
          'print one page for your decision: what was tried, what keeps failing, what you can do',
        ).conflicts(['receipts', 'notes', 'prompt', 'knowledge']),
      )
      .option('--receipts', 'print every receipt in full')
      .option('--notes', 'print every hand-off note in full')
      .addOption(
        new Option('--prompt', 'print only the prompt that was last sent, or will be sent first').conflicts([
          'receipts',
          'notes',
          'knowledge',
        ]),
      )
      .addOption(
        new Option('--round <number>', 'print the prompt of this round of its last attempt').implies({ prompt: true }),
      )
      .option('--knowledge', 'print what agents have learned in this repository')
      .option('--json', 'print it as JSON'),
  async run(context, typed) {
    const repository = await findRepository(context)
    if (!repository.hasState()) throw new ProblemError(await missingRun(repository))
    const state = unwrap(await repository.readState())
    try {
      if (typed.options.knowledge === true) return await showKnowledge(context, repository, state.store)
      const [task] = typed.args
      if (task === undefined) throw new ProblemError(nothingNamed())
      const taskFound = await findTask(state.store, task as TaskId)
      const milestone = isProblem(taskFound) ? await findMilestone(state.store, task as MilestoneId) : null
      if (milestone !== null) return showMilestone(context, milestone)
      if (isProblem(taskFound)) return await showProposal(context, state.store, task as TaskId, taskFound)
      const story = await readStory(context.world, repository, state, taskFound)
      if (typed.options.prompt === true) {
        return await showPrompt(context, repository, taskFound, {
          story,
          store: state.store,
          wanted: typed.options.round,
        })
      }
      if (typed.options.dossier === true) return await showDossier(context, repository, state, { taskFound, story })
      context.output.json(story)
      const { colors, width } = context.output
      const receipts = typed.options.receipts === true ? 'whole' : 'short'
      const notes = typed.options.notes === true ? 'whole' : 'short'
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
  const match = rounds.find(({ round }) => String(round) === wanted)
  if (match !== undefined) return match
  const known = rounds.map(({ round }) => round).join(', ') || 'none so far'
  return refuse('wrong-use', `The last attempt of ${task} has no round ${wanted}.`, `Its rounds: ${known}.`)
}

function nothingNamed() {
  return problem({
    code: 'wrong-use',
    message: 'No task was named.',
    hint: 'Name one ("longhaul status" lists them), or use --knowledge.',
    retry: 'never',
  })
}

function showMilestone({ output }: VerbContext, story: MilestoneStory): ExitCode {
  output.json(story)
  for (const line of renderMilestone(story, output)) output.line(line)
  return EXIT.done
}

/** Selects a prompt, and the store of the long texts in it. */
interface PromptChoice {
  readonly story: TaskStory
  readonly store: Store
  /** Number of a round, as typed. */
  readonly wanted: unknown
}

/** Prints nothing but the prompt to stdout, so that it can be redirected to a file. */
async function showPrompt(
  { output }: VerbContext,
  repository: Repository,
  { run, task }: TaskFound,
  { story: { attempts }, store, wanted }: PromptChoice,
): Promise<ExitCode> {
  const attempt = attempts.findLast(({ rounds }) => rounds.length > 0)
  const round = wanted === undefined ? attempt?.rounds.at(-1) : roundOf(attempt?.rounds ?? [], String(wanted), task)
  const sent = attempt === undefined || round === undefined ? null : await repository.promptOf(attempt.id, round.round)
  if (attempt === undefined || round === undefined || sent === null) {
    const first = firstPrompt(run, task)
    const prompt = insertTexts(first, await readBlobs(store, textDigestsIn(first)))
    output.json({ task, attempt: null, round: null, sentAt: null, prompt })
    output.remark('Will be sent first:')
    output.line(prompt)
    return EXIT.done
  }
  output.json({ task, attempt: attempt.id, round: round.round, sentAt: round.startedAt, prompt: sent })
  output.remark(`Sent in round ${round.round} of ${attempt.id}, ${round.startedAt}:`)
  output.line(sent)
  return EXIT.done
}

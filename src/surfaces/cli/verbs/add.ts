import { InvalidArgumentError, Option } from 'commander'
import type { MilestoneId, TaskId } from '../../../core/model/ids.ts'
import { type Task, WEIGHTS, type Weight } from '../../../core/model/task.ts'
import { oneLineTitle, TITLE_MAX, titleFault } from '../../../core/model/title.ts'
import { refuse } from '../refusal.ts'
import { type TypedArguments, textOption, type Verb } from '../verb.ts'
import { putTasks } from './put-tasks.ts'

/** `longhaul add`: adds one task. */
export const addVerb: Verb = {
  about: 'Adds one task to the open run, or opens a run if there is none.',
  examples: [
    'longhaul add fix-login --title "Fix the login form" --verify "npm test -- login"',
    'longhaul add docs --title "Describe the login" --after fix-login --weight trivial',
  ],
  shape: (command) =>
    void command
      .usage('<id> --title <text> [options]')
      .argument('[id]', 'letters, digits, ".", "_", "-"; at most 64')
      .option('--title <text>', `what to do, on one line of at most ${TITLE_MAX} characters`)
      .option('--brief <text>', 'everything the agent should know')
      .option('--after <tasks>', 'tasks that must land first, separated by commas')
      .addOption(new Option('--weight <weight>', 'how much work it is').choices([...WEIGHTS]).default('small'))
      .option('--verify <command>', 'a command that must pass, besides the gates; repeatable', collect, [])
      .option('--may-change <glob>', 'guarded files that its work may change; repeatable', collect, [])
      .option('--milestone <milestone>', 'the milestone it belongs to')
      .option('--priority <number>', 'higher goes first', wholeNumber, 0)
      .option('--json', 'print the outcome as JSON'),
  run: (context, typed) => putTasks(context, 'add', { milestones: [], tasks: [taskFrom(typed)] }),
}

function taskFrom(typed: TypedArguments): Task {
  const { options } = typed
  const { id, title } = named(typed)
  const after = (textOption(typed, 'after') ?? '').split(',').map((id) => id.trim())
  return {
    id,
    title,
    brief: textOption(typed, 'brief') ?? '',
    after: [...new Set(after.filter((id) => id !== ''))] as TaskId[],
    weight: options.weight as Weight,
    type: null,
    milestone: textOption(typed, 'milestone') as MilestoneId | null,
    priority: options.priority as number,
    acceptance: [],
    verify: options.verify as readonly string[],
    files: [],
    mayChange: options.mayChange as readonly string[],
  }
}

/** Returns id and title, which commander would ask for one at a time and before it looks at misspelled options. */
function named(typed: TypedArguments): Pick<Task, 'id' | 'title'> {
  const [id, title] = [typed.args[0], textOption(typed, 'title')]
  const missing = [...(id === undefined ? ['an id'] : []), ...(title === null ? ['a title'] : [])]
  if (id === undefined || title === null) {
    const hint = 'For example: longhaul add fix-login --title "Fix the login form"'
    return refuse('wrong-use', `A task needs ${missing.join(' and ')}.`, hint)
  }
  const hasLines = title.trim().includes('\n')
  const fault = hasLines ? 'text on one line' : titleFault(title)
  const hint = 'Write a short --title, and everything else with --brief.'
  if (fault !== null) refuse('title-wrong', `The title of ${id} must be ${fault}.`, hint)
  return { id: id as TaskId, title: oneLineTitle(title) }
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function wholeNumber(text: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

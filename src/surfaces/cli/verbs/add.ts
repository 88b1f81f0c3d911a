import { InvalidArgumentError, Option } from 'commander'
import type { MilestoneId, TaskId } from '../../../core/model/ids.ts'
import { type Task, WEIGHTS, type Weight } from '../../../core/model/task.ts'
import { refuse } from '../refusal.ts'
import { argument, type TypedArguments, textOption, type Verb } from '../verb.ts'
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
      .argument('<id>', 'letters, digits, ".", "_", "-"; at most 64')
      .requiredOption('--title <text>', 'what to do, on one line')
      .option('--brief <text>', 'everything the agent should know')
      .option('--after <tasks>', 'tasks that must land first, separated by commas')
      .addOption(new Option('--weight <weight>', 'how much work it is').choices([...WEIGHTS]).default('small'))
      .option('--verify <command>', 'a command that must pass, besides the gates; repeatable', collect, [])
      .option('--milestone <milestone>', 'the milestone it belongs to')
      .option('--priority <number>', 'higher goes first', wholeNumber, 0)
      .option('--json', 'print the outcome as JSON'),
  run: (context, typed) => putTasks(context, 'add', { milestones: [], tasks: [taskFrom(typed)] }),
}

function taskFrom(typed: TypedArguments): Task {
  const { options } = typed
  const id = argument(typed, 0) as TaskId
  const title = (textOption(typed, 'title') ?? '').replaceAll(/\s+/g, ' ').trim()
  if (title === '') refuse('title-empty', `The title of ${id} is empty.`, 'Describe the task with --title.')
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
  }
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function wholeNumber(text: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

import { InvalidArgumentError, Option } from 'commander'
import type { MilestoneId, TaskId } from '../../../core/model/ids.ts'
import { type Task, WEIGHTS, type Weight } from '../../../core/model/task.ts'
import { refuse } from '../refusal.ts'
import { argument, type TypedArguments, textOption, type Verb } from '../verb.ts'
import { putTasks } from './put-tasks.ts'

/** `longhaul add`: brings one task in. */
export const addVerb: Verb = {
  about: 'Puts one task into the open run, and opens one if there is none.',
  examples: [
    'longhaul add fix-login --title "Fix the login form" --verify "npm test -- login"',
    'longhaul add docs --title "Describe the login" --after fix-login --weight trivial',
  ],
  shape: (command) =>
    void command
      .argument('<id>', 'letters, digits, ".", "_", "-"; at most 64')
      .requiredOption('--title <text>', 'what is wanted, on one line')
      .option('--brief <text>', 'everything the agent should know')
      .option('--after <tasks>', 'tasks that must have landed before, separated by commas')
      .addOption(new Option('--weight <weight>', 'how heavy it is').choices([...WEIGHTS]).default('small'))
      .option('--verify <command>', 'a command that must pass, besides the gates; may be given again', collect, [])
      .option('--milestone <milestone>', 'the milestone it belongs to')
      .option('--priority <number>', 'higher goes first', wholeNumber, 0)
      .option('--json', 'print what was added as JSON'),
  run: (context, given) => putTasks(context, 'add', { milestones: [], tasks: [taskFrom(given)] }),
}

function taskFrom(given: TypedArguments): Task {
  const { options } = given
  const id = argument(given, 0) as TaskId
  const title = (textOption(given, 'title') ?? '').replaceAll(/\s+/g, ' ').trim()
  if (title === '') refuse('title-empty', `The title of ${id} is empty.`, 'Say with --title what is wanted.')
  const after = (textOption(given, 'after') ?? '').split(',').map((id) => id.trim())
  return {
    id,
    title,
    brief: textOption(given, 'brief') ?? '',
    after: [...new Set(after.filter((id) => id !== ''))] as TaskId[],
    weight: options.weight as Weight,
    type: null,
    milestone: textOption(given, 'milestone') as MilestoneId | null,
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

import type { TaskId } from '../../../core/model/ids.ts'
import { EXIT } from '../exit-codes.ts'
import { askOpenRun } from '../repository/ask-open-run.ts'
import { argument, type Verb } from '../verb.ts'

/** `longhaul retry`: lets a task be tried again. */
export const retryVerb: Verb = {
  about:
    'Opens a task again that failed, was stopped or skipped, or needs a person, with a fresh count of attempts. A run that has ended is opened again.',
  examples: ['longhaul retry fix-login && longhaul run'],
  shape: (command) => void command.argument('<task>', 'the task').option('--json', 'print the outcome as JSON'),
  async run(context, given) {
    const task = argument(given, 0) as TaskId
    const { byEngine } = await askOpenRun(context, 'retry', { kind: 'retry', task })
    const { output } = context
    output.json({ retried: task, byEngine })
    output.line(
      byEngine ? `${task} is tried again by the engine that is running.` : `${task} is open again. Next: longhaul run`,
    )
    return EXIT.done
  },
}

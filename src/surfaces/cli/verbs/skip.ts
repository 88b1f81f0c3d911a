import type { TaskId } from '../../../core/model/ids.ts'
import { dependentsOf } from '../../../core/schedule/graph.ts'
import { EXIT } from '../exit-codes.ts'
import { askOpenRun } from '../repository/ask-open-run.ts'
import { argument, type Verb } from '../verb.ts'

/** `longhaul skip`: does without a task. */
export const skipVerb: Verb = {
  about:
    'Does without a task: an attempt at it is stopped with its work kept, and the tasks after it go on as if it had landed. "longhaul retry" takes it up again.',
  examples: ['longhaul skip fix-login'],
  shape: (command) => void command.argument('<task>', 'the task').option('--json', 'print the outcome as JSON'),
  async run(context, given) {
    const task = argument(given, 0) as TaskId
    const { byEngine, state } = await askOpenRun(context, 'skip', { kind: 'skip', task })
    const { output } = context
    const dependents = dependentsOf(state.graph, task)
    output.json({ skipped: task, dependents, byEngine })
    output.line(`${task} is skipped. "longhaul retry ${task}" takes it up again.`)
    if (dependents.length > 0) {
      output.remark(output.colors.yellow(`Without its work go on: ${dependents.join(', ')}`))
    }
    return EXIT.done
  },
}

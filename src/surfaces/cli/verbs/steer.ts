import type { TaskId } from '../../../core/model/ids.ts'
import { EXIT } from '../exit-codes.ts'
import { askOpenRun } from '../repository/ask-open-run.ts'
import { argument, type Verb } from '../verb.ts'

/** `longhaul steer`: tells the agent of a task something. */
export const steerVerb: Verb = {
  about:
    'Tells the agent of a task something: at once where its driver can say it into a running session, else with its next prompt. Later attempts at the task are told, too.',
  examples: ['longhaul steer fix-login "Leave the old form in place; add the new one beside it."'],
  shape: (command) =>
    void command
      .argument('<task>', 'the task')
      .argument('<text>', 'what its agent should know')
      .option('--json', 'print the outcome as JSON'),
  async run(context, given) {
    const task = argument(given, 0) as TaskId
    const { byEngine, state } = await askOpenRun(context, 'steer', { kind: 'steer', task, text: argument(given, 1) })
    const { output } = context
    const record = state.tasks.get(task)
    const isLive = record !== undefined && record.live !== null
    output.json({ steered: task, number: record?.steering.length ?? 0, isLive, byEngine })
    output.line(isLive && byEngine ? `${task} is told.` : `${task} is told when an agent works on it.`)
    return EXIT.done
  },
}

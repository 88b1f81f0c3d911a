import type { TaskId } from '../../../core/model/ids.ts'
import { argument, type Verb } from '../verb.ts'
import { decideProposal } from './answer-proposal.ts'
import { tellAnswer } from './answer-task.ts'

/** `longhaul reject`: sends work that waits for a person back. */
export const rejectVerb: Verb = {
  about:
    'Says no to work that waits for a person. It goes back to be mended, and the agent is told what you write. A task that an agent proposed is not added.',
  examples: ['longhaul reject fix-login "The old form has to stay."'],
  shape: (command) =>
    void command
      .argument('<task>', 'the task')
      .argument('<text>', 'what has to change')
      .option('--json', 'print the outcome as JSON'),
  async run(context, given) {
    const task = argument(given, 0) as TaskId
    const answer = { kind: 'rejected', text: argument(given, 1) } as const
    return (await decideProposal(context, task, answer)) ?? tellAnswer(context, task, answer)
  },
}

import type { TaskId } from '../../../core/model/ids.ts'
import { argument, type Verb } from '../verb.ts'
import { decideProposal } from './answer-proposal.ts'
import { tellAnswer } from './answer-task.ts'

/** `longhaul approve`: says yes to work that waits for a person. */
export const approveVerb: Verb = {
  about:
    'Says yes to work that waits for a person: before a phase or landing where a breakpoint is set, in a phase that is for a person, or after a review that could not decide. It goes on from there. A task that an agent proposed is added.',
  examples: ['longhaul approve fix-login', 'longhaul approve fix-login "The skipped test is meant."'],
  shape: (command) =>
    void command
      .argument('<task>', 'the task')
      .argument('[text]', 'why, for the record')
      .option('--json', 'print the outcome as JSON'),
  async run(context, given) {
    const task = argument(given, 0) as TaskId
    const answer = { kind: 'approved', text: given.args[1] ?? '' } as const
    return (await decideProposal(context, task, answer)) ?? tellAnswer(context, task, answer)
  },
}

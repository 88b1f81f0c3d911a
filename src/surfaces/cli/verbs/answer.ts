import type { TaskId } from '../../../core/model/ids.ts'
import { argument, type Verb } from '../verb.ts'
import { tellAnswer } from './answer-task.ts'

/** `longhaul answer`: answers an agent that asked a person. */
export const answerVerb: Verb = {
  about:
    'Answers the question of an agent that cannot go on without a person. It goes on in the same workspace, and in the same session where there is room in it.',
  examples: ['longhaul answer fix-login "Use port 8080."'],
  shape: (command) =>
    void command
      .argument('<task>', 'the task')
      .argument('<text>', 'the answer')
      .option('--json', 'print the outcome as JSON'),
  run: (context, given) =>
    tellAnswer(context, argument(given, 0) as TaskId, { kind: 'answered', text: argument(given, 1) }),
}

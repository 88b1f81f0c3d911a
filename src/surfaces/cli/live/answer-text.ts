import type { Request } from '../../../core/model/input.ts'
import type { Problem } from '../../../core/model/problem.ts'

/** Renders the answer to a request from the live view; null when the engine exited without one. */
export function answerText(request: Request, answer: Answer | null): string {
  if (answer === null) return 'The engine exited before it answered.'
  if (answer.kind === 'refused') return `${answer.problem.message} ${answer.problem.hint}`
  switch (request.kind) {
    case 'retry':
      return `${request.task} is open again.`
    case 'steer':
      return `Message sent: the agent of ${request.task} receives it now if it can, else with its next prompt.`
    case 'answer':
      return `${request.task} is ${request.answer.kind}.`
    case 'pause':
      return 'Paused: running rounds finish, nothing new starts.'
    case 'resume':
      return 'The run continues.'
    default:
      return 'Done.'
  }
}

type Answer = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly problem: Problem }

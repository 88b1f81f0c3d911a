import type { Request } from '../../../core/model/input.ts'
import type { Problem } from '../../../core/model/problem.ts'

/** What a run's answer to a key says to the person who pressed it; null: the engine has gone without one. */
export function answerText(request: Request, answer: Answer | null): string {
  if (answer === null) return 'The engine has gone before it answered.'
  if (answer.kind === 'refused') return `${answer.problem.message} ${answer.problem.hint}`
  switch (request.kind) {
    case 'retry':
      return `${request.task} is tried again.`
    case 'steer':
      return `${request.task} is told: at once where its agent can hear it, else with its next prompt.`
    case 'answer':
      return `${request.task} is ${request.answer.kind}.`
    case 'pause':
      return 'Paused: rounds that are going on end by themselves, nothing new starts.'
    case 'resume':
      return 'The run goes on.'
    default:
      return 'Done.'
  }
}

type Answer = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly problem: Problem }

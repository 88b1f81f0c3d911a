import type { AskKind } from '../model/attempt.ts'
import type { Answer } from '../model/attempt-event.ts'
import { accepted, type Decision } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { refusal } from './refusal.ts'
import { standingText } from './standing-text.ts'
import type { RunState, TaskRecord } from './state.ts'

/** Records the user's reply to a task that waits for it. */
export function decideAnswer(
  state: RunState,
  { task, standing, live }: TaskRecord,
  answer: Answer,
): Decision<RunEvent> {
  const wait = live === null ? null : (state.attempts.get(live)?.wait ?? null)
  if (live === null || wait?.kind !== 'person') {
    const message = `${task.id} ${standingText(standing)}, so there is nothing to ${VERBS[answer.kind]}.`
    return refusal('nothing-to-answer', message, 'See "longhaul status".')
  }
  if (wait.asks !== ASKED_FOR[answer.kind]) {
    const question = wait.question.replace(/^(asks|blocked): /, '')
    const message = `${task.id} ${WANTS[wait.asks]}, so ${VERBS[answer.kind]} does not fit: ${question}`
    return refusal('other-answer', message, wait.hint)
  }
  if (answer.kind !== 'approved' && answer.text.trim() === '') {
    return refusal('text-empty', `The text for ${task.id} is empty.`, 'Write what the agent should know.')
  }
  return accepted([{ kind: 'attempt-answered', attempt: live, answer, reason: `${answer.kind} by the user` }])
}

const VERBS: Readonly<Record<Answer['kind'], string>> = { approved: 'approve', rejected: 'reject', answered: 'answer' }

const WANTS: Readonly<Record<AskKind, string>> = {
  approval: 'needs your approval',
  answer: 'asked a question',
  act: 'needs you to act',
}

const ASKED_FOR: Readonly<Record<Answer['kind'], AskKind>> = {
  approved: 'approval',
  rejected: 'approval',
  answered: 'answer',
}

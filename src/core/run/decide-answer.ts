import type { AskKind } from '../model/attempt.ts'
import type { Answer } from '../model/attempt-event.ts'
import { accepted, type Decision } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import { refusal } from './refusal.ts'
import { standingText } from './standing-text.ts'
import type { RunState, TaskRecord } from './state.ts'

/** Takes down what a person says to a task that waits for them. */
export function decideAnswer(state: RunState, { task, standing, live }: TaskRecord, given: Answer): Decision<RunEvent> {
  const wait = live === null ? null : (state.attempts.get(live)?.wait ?? null)
  if (live === null || wait?.kind !== 'person') {
    const message = `${task.id} ${standingText(standing)}, so there is nothing to answer.`
    return refusal('nothing-to-answer', message, 'See "longhaul status".')
  }
  if (wait.asks !== FOR[given.kind]) {
    return refusal('other-answer', `${task.id} asks for something else: ${wait.question}`, wait.hint)
  }
  if (given.kind !== 'approved' && given.text.trim() === '') {
    return refusal('text-empty', `There is nothing in the text for ${task.id}.`, 'Say what the agent should know.')
  }
  return accepted([{ kind: 'attempt-answered', attempt: live, answer: given, reason: `a person has ${given.kind} it` }])
}

const FOR: Readonly<Record<Answer['kind'], AskKind>> = {
  approved: 'approval',
  rejected: 'approval',
  answered: 'answer',
}

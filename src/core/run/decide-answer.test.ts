import { expect, test } from 'vitest'
import {
  AT,
  ended,
  givenRun,
  givenTask,
  openedRun,
  requested,
  settledRun,
  started,
} from '../../../test/given/given-run.ts'
import { askApproval, askPerson } from '../attempt/ask-person.ts'
import type { PersonWait } from '../model/attempt.ts'
import type { Answer } from '../model/attempt-event.ts'
import type { AttemptId, TaskId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { runEffectsDue } from './effects-due.ts'

const TASKS = [givenTask('t1')]
const YES: Answer = { kind: 'approved', text: '' }

function asking(wait: PersonWait): readonly RunEvent[] {
  const waiting = { kind: 'attempt-waiting', attempt: 't1-a1' as AttemptId, seq: 5, for: wait, reason: '' } as const
  return [...openedRun(TASKS), started('t1'), waiting]
}

function answered(events: readonly RunEvent[], answer: Answer) {
  return requested(givenRun(...events), { kind: 'answer', task: 't1' as TaskId, answer })
}

test.each([
  ['a yes', askApproval('review', 'q', TASKS), YES],
  ['a no', askApproval('review', 'q', TASKS), { kind: 'rejected', text: 'no' }],
  ['an answer', askPerson('answer', 'q', TASKS), { kind: 'answered', text: '8080' }],
] as const)('%s reaches the attempt first, which then resumes when a slot is free', (_, wait, answer) => {
  const decision = answered(asking(wait), answer)
  expect(decision).toMatchObject({ kind: 'accepted', events: [{ kind: 'attempt-answered', answer }] })
  const state = givenRun(...asking(wait), ...(decision.kind === 'accepted' ? decision.events : []))
  expect(state.tasks.get('t1' as TaskId)?.standing).toBe('ready')
  expect(settledRun(state)).toMatchObject([
    { kind: 'attempt-resumed', reason: expect.stringContaining('a slot is free') },
  ])
  expect(runEffectsDue(state, AT).map(({ id }) => id)).toEqual([
    'work:t1-a1:2',
    'message:t1-a1:answer:1',
    'message:t1-a1:resume:2',
  ])
})

test.each([
  ['nothing waits', [...openedRun(TASKS), started('t1')], YES, 't1 is running, so there is nothing to approve.'],
  [
    'an answer is wanted',
    asking(askPerson('answer', 'asks: which?', TASKS)),
    YES,
    't1 asked a question, so approve does not fit: which?',
  ],
  [
    'a yes is wanted',
    asking(askApproval('qa', 'ok?', TASKS)),
    { kind: 'answered', text: 'x' },
    't1 needs your approval, so answer does not fit: ok?',
  ],
  [
    'a no says nothing',
    asking(askApproval('qa', 'ok?', TASKS)),
    { kind: 'rejected', text: ' ' },
    'The text for t1 is empty.',
  ],
] as const)('is refused when %s', (_, events, answer, message) => {
  expect(answered(events, answer)).toMatchObject({ kind: 'refused', problem: { message } })
})

test('the next attempt gets the answers of the user to the last one', () => {
  const answered = { kind: 'attempt-answered', attempt: 't1-a1' as AttemptId, reason: '' } as const
  const rejected: RunEvent = { ...answered, answer: { kind: 'rejected', text: 'Use tabs.' } }
  const state = givenRun(...asking(askApproval('review', 'q', TASKS)), rejected, ended('t1'))
  expect(settledRun(state)).toMatchObject([
    { kind: 'attempt-started', retryBrief: expect.stringContaining('- rejected: Use tabs.') },
  ])
})

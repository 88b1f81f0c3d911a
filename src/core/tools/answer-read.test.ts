import { expect, test } from 'vitest'
import { given, opened, roundStarted, spec } from '../../../test/given/given-attempt.ts'
import { givenRun, givenTask, openedRun, started } from '../../../test/given/given-run.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { AttemptId, TaskId } from '../model/ids.ts'
import type { ReadCall } from '../model/tool-call.ts'
import { answerReadCall } from './answer-read.ts'

const TASKS = [
  givenTask('t1', [], { acceptance: ['it is red'], verify: ['npm test'] }),
  givenTask('t2', ['t1'], { title: 'Paint the door' }),
]
const attempt = 't1-a1' as AttemptId
const proposal = { id: 't3' as TaskId, title: 'Then that', brief: '', after: [], acceptance: [], verify: [] }
const run = givenRun(
  ...openedRun(TASKS),
  started('t1'),
  { kind: 'task-proposed', attempt, seq: 1, proposal },
  { kind: 'knowledge-recorded', attempt, seq: 2, knowledge: { text: 'Doors stick in winter.', files: [] } },
)

test.each<[ReadCall, string]>([
  [{ kind: 'task', id: null }, expect.stringMatching(/^# t1: /)],
  [{ kind: 'task', id: 't2' as TaskId }, '# t2: Paint the door\n\nState: waiting. After: t1.\n\nDo t2.'],
  [{ kind: 'task', id: 'nope' as TaskId }, expect.stringContaining('No task has the id nope')],
  [
    { kind: 'backlog', filter: null, page: 1 },
    '3 tasks, page 1 of 1:\nt1 [running] Task t1\nt2 [waiting] Paint the door\nt3 [proposed] Then that',
  ],
  [{ kind: 'backlog', filter: 'DOOR', page: 1 }, '1 tasks, page 1 of 1:\nt2 [waiting] Paint the door'],
  [{ kind: 'backlog', filter: 'roof', page: 1 }, 'No task matches.'],
  [{ kind: 'findings' }, 'No open findings.'],
  [{ kind: 'recall', words: 'winter doors' }, '- Doors stick in winter. (t1)'],
  [{ kind: 'recall', words: 'roof' }, 'No recorded lesson has these words.'],
  [
    { kind: 'limits' },
    expect.stringMatching(
      /^Turns: 0 of \d+ in this round\.\nMoney: \$0\.00 spent, no limit\.\nRoom in your session: unknown\.$/,
    ),
  ],
])('%o is answered', (call, text) => {
  const { text: answer } = answerReadCall(call, { attempt: given(...opened(), roundStarted(1)), run })
  expect(answer).toEqual(text)
})

test('the answer about limits names money and occupancy', () => {
  const paid = opened().map((event): AttemptEvent => {
    return event.kind === 'attempt-opened' ? { ...event, spec: spec({ allowance: { usd: 5, budget: 'task' } }) } : event
  })
  const state = given(...paid, roundStarted(1))
  if (state.session !== null) Object.assign(state.session, { used: 50_000, window: 200_000 })
  expect(answerReadCall({ kind: 'limits' }, { attempt: state, run }).text).toMatch(
    /of \$5\.00, the task budget's share for this attempt\.\n.*25% is taken; at 80% you hand over/,
  )
})

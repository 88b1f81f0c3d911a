import { describe, expect, test } from 'vitest'
import {
  BASE,
  checkpointed,
  given,
  opened,
  reported,
  roundEnded,
  roundStarted,
  spec,
  when,
} from '../../../test/given/given-attempt.ts'
import { PLAIN_WORKFLOWS } from '../../../test/given/plain-workflows.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import type { Answer, AttemptEvent } from '../model/attempt-event.ts'
import { finding } from '../model/verdict.ts'
import type { PhaseSpec } from '../model/workflow.ts'
import { phaseToRedo } from '../phases/workflows.ts'
import { attemptEffectsDue } from './effects-due.ts'
import { evolveAttempt } from './evolve.ts'
import type { AttemptState } from './state.ts'

const [IMPLEMENT] = PLAIN_WORKFLOWS.trivial.phases as [PhaseSpec]
const SIGN_OFF: PhaseSpec = { ...IMPLEMENT, name: 'sign-off', by: 'person' }
const SIGNED = { workflow: { ...PLAIN_WORKFLOWS.trivial, phases: [IMPLEMENT, SIGN_OFF] } }
const BEFORE_LANDING = { workflow: PLAIN_WORKFLOWS.trivial, breakpoints: ['landing'] }

/** Returns an attempt whose finished round has been saved. */
function saved(changes: Partial<AttemptSpec>): AttemptState {
  const state = given(...opened(changes), roundStarted(1), roundEnded(1, 'ok', { claim: { kind: 'done' } }))
  return following(state, reported(state, 'checkpoint:1', { kind: 'checkpointed', ...checkpointed(1) }))
}

function following(state: AttemptState, events: readonly AttemptEvent[]): AttemptState {
  for (const event of events) evolveAttempt(state, event, 0)
  return state
}

function answered(state: AttemptState, kind: Answer['kind'], text = ''): readonly AttemptEvent[] {
  following(state, when(state, { kind: 'message', id: 'a', message: { kind: 'answer', answer: { kind, text } } }))
  expect(attemptEffectsDue(state)).toEqual([])
  return when(state, { kind: 'message', id: 'r', message: { kind: 'resume', stretch: 2, why: 'answered' } })
}

describe('a phase by a person', () => {
  test('asks for approval and has no effects meanwhile', () => {
    const state = saved(SIGNED)
    expect(state).toMatchObject({
      phase: 'sign-off',
      doing: { kind: 'waiting', for: { kind: 'person', asks: 'approval', approvalPoint: 'sign-off' } },
    })
    expect(attemptEffectsDue(state)).toEqual([])
  })

  test('approved, the work continues once a slot is free', () => {
    expect(answered(saved(SIGNED), 'approved')).toMatchObject([
      { kind: 'message-received' },
      { kind: 'ready-to-land', commit: 'c1', tree: 'tree1' },
    ])
  })

  test('rejected, it goes back with the text of the person', () => {
    const state = saved(SIGNED)
    const events = answered(state, 'rejected', 'not so')
    expect(events).toMatchObject([
      { kind: 'message-received' },
      {
        kind: 'work-returned',
        from: 'sign-off',
        to: 'implement',
        findings: [{ source: 'person', message: 'not so' }],
      },
    ])
    expect(following(state, events).doing).toMatchObject({
      kind: 'between',
      next: { kind: 'findings', from: 'sign-off' },
    })
  })
})

describe('a breakpoint', () => {
  test('stops before landing until approved', () => {
    const state = saved(BEFORE_LANDING)
    expect(state.doing).toMatchObject({ kind: 'waiting', for: { asks: 'approval', approvalPoint: 'landing' } })
    expect(answered(state, 'approved')).toMatchObject([{ kind: 'message-received' }, { kind: 'ready-to-land' }])
  })

  test('stops before the first phase, too', () => {
    const state = given({ kind: 'attempt-opened', spec: spec({ breakpoints: ['implement'] }) })
    following(state, reported(state, 'workspace:1', { kind: 'workspace-made', commit: BASE }))
    expect(state.doing).toMatchObject({ kind: 'waiting', for: { asks: 'approval', approvalPoint: 'implement' } })
    const events = answered(state, 'approved', 'go')
    expect(events).toMatchObject([{}, { kind: 'phase-entered', phase: 'implement', why: 'a person approved: go' }])
    expect(following(state, events).doing).toEqual({ kind: 'between', next: { kind: 'brief' } })
  })
})

const SENT_BACK = [
  'A person has reviewed your work and sent it back:',
  '- person: smaller',
  'Fix this, and answer with the complete new version.',
].join('\n\n')

test('a plan that a person rejects is written again before any work starts', () => {
  const plan: PhaseSpec = { ...IMPLEMENT, name: 'plan', role: 'planner', backTo: null }
  const workflow = { ...PLAIN_WORKFLOWS.trivial, phases: [plan, IMPLEMENT] }
  const state = given(
    { kind: 'attempt-opened', spec: spec({ workflow, breakpoints: ['implement'] }) },
    { kind: 'workspace-made', commit: BASE },
    { kind: 'phase-entered', phase: 'plan', why: 'first' },
    { ...roundStarted(1), phase: 'plan' } as AttemptEvent,
    roundEnded(1, 'ok', { claim: { kind: 'done' } }),
    { kind: 'phase-output', phase: 'plan', text: 'digest' },
  )
  following(state, reported(state, 'checkpoint:1', { kind: 'checkpointed', ...checkpointed(1) }))
  expect(state.doing).toMatchObject({ kind: 'waiting', for: { asks: 'approval', approvalPoint: 'implement' } })
  const events = answered(state, 'rejected', 'smaller')
  expect(events).toMatchObject([{ kind: 'message-received' }, { kind: 'work-returned', from: 'plan', to: 'plan' }])
  expect(following(state, events)).toMatchObject({ phase: 'plan', doing: { kind: 'between' } })
  const cause = { kind: 'findings' as const, from: 'plan', findings: [finding('person', 'smaller')] }
  following(state, [{ ...roundStarted(2, cause), phase: 'plan' } as AttemptEvent])
  expect(attemptEffectsDue(state)).toMatchObject([{ kind: 'run-round', round: { phase: 'plan', prompt: SENT_BACK } }])
})

test.each([
  ['plan', 'plan'],
  ['sign-off', 'plan'],
  ['implement', 'implement'],
  ['review', 'implement'],
])('work that a person rejects in %s is redone in %s', (phase, redone) => {
  const plan: PhaseSpec = { ...IMPLEMENT, name: 'plan', role: 'planner' }
  const review: PhaseSpec = { ...IMPLEMENT, name: 'review', role: 'reviewer' }
  const workflow = { ...PLAIN_WORKFLOWS.trivial, phases: [plan, SIGN_OFF, IMPLEMENT, review] }
  expect(phaseToRedo(workflow, phase).name).toBe(redone)
})

test('an answer to a blocked agent becomes the prompt of its next round', () => {
  const state = given(
    ...opened(),
    roundStarted(1),
    roundEnded(1, 'ok', { claim: { kind: 'blocked', reason: 'port?' } }),
  )
  following(state, reported(state, 'checkpoint:1', { kind: 'checkpointed', ...checkpointed(1) }))
  expect(state.doing).toMatchObject({ kind: 'waiting', for: { asks: 'answer' } })
  const events = answered(state, 'answered', '8080')
  expect(events).toMatchObject([{ kind: 'message-received' }])
  expect(following(state, events).doing).toEqual({ kind: 'between', next: { kind: 'answer', text: '8080' } })
})

describe('findings that a person may approve', () => {
  const weakened = finding('checks', 'a test is skipped', { needsPerson: true })
  const red = { kind: 'checked' as const, verdict: { passed: false, receipts: [], findings: [weakened] } }
  /** Returns an attempt that was sent back once for the finding and has not changed. */
  const judgedAgain = (): AttemptState => {
    const state = saved({})
    following(state, reported(state, 'checks:1', red))
    following(state, [roundStarted(2), roundEnded(2, 'ok', { claim: { kind: 'done' } })])
    following(state, reported(state, 'checkpoint:2', { kind: 'checkpointed', ...checkpointed(1) }))
    following(state, reported(state, 'checks:2', red))
    return state
  }

  test('need approval when the work stays the same, and then let it continue', () => {
    const state = judgedAgain()
    expect(state.doing).toMatchObject({
      kind: 'waiting',
      for: { asks: 'approval', approvalPoint: 'verify', allows: ['checks: a test is skipped'] },
    })
    expect(answered(state, 'approved')).toMatchObject([{ kind: 'message-received' }, { kind: 'ready-to-land' }])
    expect([...state.approved]).toEqual(['checks: a test is skipped'])
  })

  test('wait for the answer: a slot that is free from before does not end the wait', () => {
    const state = judgedAgain()
    const resume = { kind: 'resume' as const, stretch: 3, why: 'a slot is free' }
    following(state, when(state, { kind: 'message', id: 'r', message: resume }))
    expect(state.doing).toMatchObject({ kind: 'waiting', for: { kind: 'person', asks: 'approval' } })
  })

  test('that are approved do not return, but others do', () => {
    const state = judgedAgain()
    following(state, answered(state, 'rejected', 'no'))
    expect(state.approved.size).toBe(0)
  })
})

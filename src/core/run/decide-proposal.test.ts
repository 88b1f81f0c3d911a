import { describe, expect, test } from 'vitest'
import { given, opened as openedAttempt } from '../../../test/given/given-attempt.ts'
import {
  attemptEvent,
  givenRun,
  givenTask,
  landed,
  openedRun,
  requested,
  settledRun,
  started,
} from '../../../test/given/given-run.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { AttemptId, TaskId } from '../model/ids.ts'
import type { Decision } from '../model/input.ts'
import type { Proposal } from '../model/proposal.ts'
import type { RunEvent } from '../model/run-event.ts'
import { whyNotProposed } from '../tools/recorded-text.ts'
import { proposalsLeft } from './decide-proposal.ts'

const proposal = (id: string, after: readonly string[] = []): Proposal => {
  return {
    id: id as TaskId,
    title: `Task ${id}`,
    brief: 'b',
    after: after as TaskId[],
    acceptance: [],
    verify: ['rm -rf /'],
  }
}
const proposed = (id: string, after: readonly string[] = []): RunEvent => {
  return { kind: 'task-proposed', attempt: 't1-a1' as AttemptId, seq: 4, proposal: proposal(id, after) }
}
const saidProposal = (id: string): AttemptEvent => ({ kind: 'task-proposed', round: 1, proposal: proposal(id) })
const open = [...openedRun([givenTask('t1')]), started('t1')]
const tidy = 'tidy' as TaskId
const yes = { kind: 'accept-proposal', task: tidy, attemptsBefore: 2, text: 'good idea' } as const
const no = { kind: 'decline-proposal', task: tidy, text: 'not now' } as const
const added = givenTask('tidy', [], { brief: 'b', verify: ['rm -rf /'] })

describe('a proposal of an agent', () => {
  test('is copied from its ledger once, and does not start', () => {
    const decision = attemptEvent(givenRun(...open), 't1-a1', 4, saidProposal('tidy'))
    expect(decision).toEqual({ kind: 'accepted', events: [proposed('tidy')] })
    const state = givenRun(...open, proposed('tidy'))
    expect(attemptEvent(state, 't1-a1', 4, saidProposal('tidy'))).toEqual({ kind: 'accepted', events: [] })
    expect([...state.tasks.keys()]).toEqual(['t1'])
    expect(settledRun(state)).toEqual([])
  })

  test.each([
    ['is a task', [{ kind: 'task-added', task: added, attemptsBefore: 0 }]],
    ['was declined', [proposed('tidy'), { kind: 'proposal-declined', task: tidy, reason: 'r' }]],
  ] as const)('is ignored when it %s already', (_, facts) => {
    const state = givenRun(...open, ...(facts as readonly RunEvent[]))
    expect(attemptEvent(state, 't1-a1', 9, saidProposal('tidy'))).toEqual({ kind: 'accepted', events: [] })
    expect(whyNotProposed(proposal('tidy'), state, given(...openedAttempt()))).toMatch(/tidy/)
  })
})

describe('the user', () => {
  test('accepts a proposal with its commands, and the task can start', () => {
    const state = givenRun(...open, proposed('tidy'))
    const events = eventsOf(requested(state, yes))
    expect(events).toEqual([
      { kind: 'proposal-accepted', task: tidy, reason: 'by the user: good idea' },
      { kind: 'task-added', task: added, attemptsBefore: 2 },
    ])
    const after = givenRun(...open, proposed('tidy'), ...events)
    expect([...after.proposals.keys()]).toEqual([])
    expect(settledRun(after)).toMatchObject([{ kind: 'attempt-started', attempt: 'tidy-a3' }])
  })

  test('reopens a run that has ended by accepting a proposal', () => {
    const over: readonly RunEvent[] = [
      ...openedRun([givenTask('t1')]),
      started('t1'),
      proposed('tidy'),
      ...landed('t1').slice(1),
      { kind: 'run-ended', reason: 'all done', failed: 0 } as unknown as RunEvent,
    ]
    expect(eventsOf(requested(givenRun(...over), yes)).map(({ kind }) => kind)).toEqual([
      'run-reopened',
      'proposal-accepted',
      'task-added',
    ])
  })

  test('declines a proposal, which removes it', () => {
    const events = eventsOf(requested(givenRun(...open, proposed('tidy')), no))
    expect(events).toEqual([{ kind: 'proposal-declined', task: tidy, reason: 'by the user: not now' }])
    const state = givenRun(...open, proposed('tidy'), ...events)
    expect([state.proposals.size, state.tasks.size]).toEqual([0, 1])
  })

  test.each([
    ['nothing of that name was proposed', [], 'unknown-proposal'],
    ['it comes after another proposal', [proposed('tidy', ['first']), proposed('first')], 'proposal-waits'],
    ['it comes after a task that there is not', [proposed('tidy', ['nope'])], 'backlog-fault'],
  ])('is refused when %s', (_, facts, code) => {
    const decision = requested(givenRun(...open, ...facts), yes)
    expect(decision).toMatchObject({ kind: 'refused', problem: { code } })
  })
})

test('the next run keeps undecided proposals, without dependencies on tasks of this run', () => {
  const state = givenRun(...open, proposed('tidy', ['t1', 'first']), proposed('first'))
  const left = proposalsLeft(state)
  expect(left).toMatchObject([
    { task: 't1', attempt: 't1-a1', proposal: { id: 'tidy', after: ['first'] } },
    { proposal: { id: 'first', after: [] } },
  ])
  const [opening, ...rest] = openedRun([givenTask('t9')])
  const next = givenRun({ ...opening, proposalsBefore: left } as RunEvent, ...rest)
  expect([...next.proposals.keys()]).toEqual(['tidy', 'first'])
})

function eventsOf(decision: Decision<RunEvent>): readonly RunEvent[] {
  if (decision.kind === 'refused') throw new Error(decision.problem.message)
  return decision.events
}

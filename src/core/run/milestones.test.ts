import { describe, expect, test } from 'vitest'
import { JUDGE } from '../../../test/given/given-attempt.ts'
import {
  AT,
  decided,
  ended,
  givenRun,
  givenSettings,
  givenTask,
  landed,
  openedRun,
  requested,
  settledRun,
  started,
} from '../../../test/given/given-run.ts'
import type { AttemptId, MilestoneId, TaskId } from '../model/ids.ts'
import { accepted, type RunReport } from '../model/input.ts'
import { problem } from '../model/problem.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { BudgetSettings } from '../model/settings.ts'
import { dayOf, NO_TOKENS, NO_TOTALS } from '../model/usage.ts'
import { finding } from '../model/verdict.ts'
import { attemptSpec } from './attempt-spec.ts'
import { runEffectsDue } from './effects-due.ts'
import { evolveRun } from './evolve.ts'
import { firstPrompt } from './first-prompt.ts'
import type { RunState } from './state.ts'

const [M1, M2, M3] = ['m1', 'm2', 'm3'] as MilestoneId[] as [MilestoneId, MilestoneId, MilestoneId]
const TASKS = [
  givenTask('t1', [], { milestone: M1, title: 'Lay the ground' }),
  givenTask('t2', [], { milestone: M1, title: 'Raise the walls' }),
  givenTask('t3', [], { milestone: M3, title: 'Put the roof on' }),
]
const CALL = { message: null, model: 'haiku', tokens: { ...NO_TOKENS, input: 1_000_000 }, hourCacheWrite: 0 }
const TWICE = { usd: 2, turns: 0, tokens: { ...NO_TOKENS, input: 2_000_000 }, usdByDay: { [dayOf(AT)]: 2 } }
const SUMMED: RunEvent = {
  kind: 'milestone-summarized',
  milestone: M1,
  summary: 'd1',
  by: 'judge',
  why: 'small was asked',
  totals: NO_TOTALS,
}

/** m1 with two tasks, m2 with none, m3 with one: one after another. */
function given(...events: readonly RunEvent[]): RunState {
  const [opened, settings, ...more] = openedRun(TASKS)
  const milestones = [M1, M2, M3].map((id): RunEvent => {
    const milestone = { id, title: `Part ${id}`, brief: id === M3 ? 'Keep the rain out.' : '', after: null }
    return { kind: 'milestone-added', milestone }
  })
  return givenRun(opened as RunEvent, settings as RunEvent, ...milestones, ...more, ...events)
}

function summariesDue(state: RunState): readonly string[] {
  return runEffectsDue(state, AT).flatMap(({ id, kind }) => (kind === 'summarize-milestone' ? id : []))
}

function factsOf(state: RunState): string {
  const effect = runEffectsDue(state, AT).find(({ kind }) => kind === 'summarize-milestone')
  return effect?.kind === 'summarize-milestone' ? effect.facts : ''
}

const standing = (state: RunState, task: string) => state.tasks.get(task as TaskId)?.standing
const failed = (task: string): readonly RunEvent[] => [
  started(task),
  ended(task, { findings: [finding('tests', '2 tests failed', { excerpt: 'expected 1 to be 2' })] }),
  { kind: 'task-failed', task: task as TaskId, reason: 'the tests are red' },
]
const skipped = (task: string): RunEvent => ({
  kind: 'task-skipped',
  task: task as TaskId,
  reason: 'a person does without it',
  dependents: [],
})

describe('a milestone is summarized', () => {
  test('when the last of its tasks has ended, and not before', () => {
    expect(summariesDue(given(...landed('t1')))).toEqual([])
    expect(summariesDue(given(...landed('t1'), ...landed('t2')))).toEqual(['summarize:m1:1'])
    expect(summariesDue(given(...landed('t1'), ...failed('t2')))).toEqual(['summarize:m1:1'])
    expect(summariesDue(given(...landed('t1'), skipped('t2')))).toEqual(['summarize:m1:1'])
  })

  test('once', () => {
    expect(summariesDue(given(...landed('t1'), ...landed('t2'), SUMMED))).toEqual([])
  })

  test('again, after a task of it was retried', () => {
    const state = given(...landed('t1'), ...failed('t2'), SUMMED)
    evolveRun(state, { kind: 'task-reopened', task: 't2' as TaskId, reason: 'retried by the user' }, AT)
    expect(summariesDue(state)).toEqual([])
    evolveRun(state, skipped('t2'), AT)
    expect(summariesDue(state)).toEqual(['summarize:m1:2'])
  })

  test('from facts alone when a budget is spent, also by judges', () => {
    const state = given(...landed('t1'), ...landed('t2'), { ...SUMMED, milestone: M3, totals: TWICE } as RunEvent)
    const judgeWith = (budget: BudgetSettings) => {
      Object.assign(state, { settings: { ...state.settings, judge: JUDGE, budget } })
      const due = runEffectsDue(state, AT).find(({ kind }) => kind === 'summarize-milestone')
      return due?.kind === 'summarize-milestone' ? [due.judge, due.whyNoJudge] : null
    }
    const none = { taskUsd: null, runUsd: null, dayUsd: null }
    expect(judgeWith(none)).toEqual([JUDGE, ''])
    expect(judgeWith({ ...none, runUsd: 2 })).toEqual([null, 'the run budget of 2.00 USD is spent'])
    expect(judgeWith({ ...none, dayUsd: 1 })).toEqual([null, 'the day budget of 1.00 USD is spent'])
    expect(judgeWith({ ...none, runUsd: 3 })).toEqual([JUDGE, ''])
  })

  test('not when all its tasks are blocked', () => {
    const state = given(...failed('t1'), ...failed('t2'), SUMMED)
    expect([standing(state, 't3'), summariesDue(state)]).toEqual(['blocked', []])
  })

  test('before the run ends', () => {
    const state = given(...landed('t1'), ...landed('t2'), SUMMED, ...landed('t3'))
    expect(settledRun(state)).toEqual([])
    evolveRun(state, { ...SUMMED, milestone: M3 } as RunEvent, AT)
    expect(settledRun(state)).toMatchObject([{ kind: 'run-ended' }])
  })

  test.each<[string, RunReport, Partial<RunEvent>]>([
    [
      'the judge',
      { kind: 'summarized', summary: 'd1', by: 'judge', why: 'small was asked', used: [CALL, CALL] },
      { summary: 'd1', by: 'judge', why: 'small was asked', totals: TWICE } as Partial<RunEvent>,
    ],
    [
      'facts, after trouble',
      {
        kind: 'trouble',
        problem: problem({ code: 'unexpected', message: 'It broke.', hint: '', retry: 'never' }),
      },
      { summary: null, by: 'facts', why: 'It broke.', totals: NO_TOTALS } as Partial<RunEvent>,
    ],
  ])('from %s: the wait is over, and the cost is counted', (_, report, summary) => {
    const state = given(...landed('t1'), ...landed('t2'))
    expect(decided(state, { kind: 'report', effect: 'summarize:m1:1', report })).toEqual(
      accepted([{ kind: 'milestone-summarized', milestone: M1, ...summary }]),
    )
  })
})

describe('the next milestone', () => {
  test('waits for the summary, also behind a milestone without tasks', () => {
    const state = given(...landed('t1'), ...landed('t2'))
    expect([standing(state, 't3'), settledRun(state)]).toEqual(['waiting', []])
    evolveRun(state, SUMMED, AT)
    expect(settledRun(state)).toMatchObject([{ kind: 'attempt-started', attempt: 't3-a1' }])
  })

  test('does not wait when there could be no summary', () => {
    const state = given(...landed('t1'), ...landed('t2'), { ...SUMMED, summary: null } as RunEvent)
    expect(standing(state, 't3')).toBe('ready')
    expect(firstPrompt(state, 't3' as TaskId)).not.toContain('[text')
  })

  test('has the summary in its first prompt, by its digest', () => {
    const state = given(...landed('t1'), ...landed('t2'), SUMMED)
    expect(firstPrompt(state, 't3' as TaskId)).toContain(
      'This task belongs to the milestone "Part m3". Keep the rain out.\n\nSummary of the finished milestone "Part m1" before it:\n\n[text d1]',
    )
    evolveRun(state, started('t3'), AT)
    const record = state.attempts.get('t3-a1' as AttemptId)
    if (record === undefined) throw new Error('no attempt')
    expect(attemptSpec(state, record).before).toEqual([{ id: M1, title: 'Part m1', summary: 'd1' }])
  })

  test('waits again when a task is added to the one before', () => {
    const state = given(...landed('t1'), ...landed('t2'), SUMMED)
    const late = givenTask('t4', [], { milestone: M1 })
    const added = requested(state, {
      kind: 'add-tasks',
      backlog: { milestones: [], tasks: [late] },
      attemptsBefore: {},
    })
    for (const event of added.kind === 'accepted' ? added.events : []) evolveRun(state, event, AT)
    expect(standing(state, 't3')).toBe('waiting')
    for (const event of landed('t4')) evolveRun(state, event, AT)
    expect([standing(state, 't3'), summariesDue(state)]).toEqual(['waiting', ['summarize:m1:2']])
  })
})

test('the facts of a milestone are listed under the headings of a summary', () => {
  const state = given(
    { kind: 'task-steered', task: 't1' as TaskId, number: 1, text: 'use oak,\nnot pine' },
    ...landed('t1'),
    ...failed('t2'),
  )
  expect(factsOf(state)).toBe(`## Accomplished
- t1: Lay the ground (landed-t1)

## Decisions
- t1, the user: use oak, not pine

## State
- 1 of 2 tasks landed; the landed work is at landed-t1

## Issues
- t2: Raise the walls (failed: the tests are red)
  - tests: 2 tests failed
  
      expected 1 to be 2

## Next
- Part m3. Keep the rain out.`)
})

test('the effect names the judge, if there is one', () => {
  const state = given(...landed('t1'), ...landed('t2'))
  expect(runEffectsDue(state, AT)).toMatchObject([{ judge: null }])
  evolveRun(
    state,
    { kind: 'settings-adopted', values: givenSettings({ judge: JUDGE }), digest: 'd2', changed: [], fixed: [] },
    AT,
  )
  expect(runEffectsDue(state, AT)).toMatchObject([
    { judge: JUDGE, title: 'Part m1', room: 'summarize:m1', class: 'repeatable' },
  ])
})

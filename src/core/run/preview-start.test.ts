import { expect, test } from 'vitest'
import { AT, givenRun, givenSettings, givenTask, openedRun, started } from '../../../test/given/given-run.ts'
import type { AttemptId } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { previewStart } from './preview-start.ts'

const TASKS = [givenTask('t1'), givenTask('t2'), givenTask('t3', ['t1'])]
const GATE = {
  name: 'tests',
  run: 'npm test',
  onFail: 'block' as const,
  timeoutMs: 1000,
  protect: [],
  coverage: null,
  canary: { when: 'never' as const, plant: null },
}
const WAITING: RunEvent = {
  kind: 'attempt-waiting',
  attempt: 't1-a1' as AttemptId,
  seq: 3,
  reason: 'crashed',
  for: { kind: 'retry', until: AT - 1 },
}

test('ready tasks start, as many as the current settings allow', () => {
  const limits = { ...givenSettings().limits, parallel: 1 }
  const foreseen = previewStart(givenRun(...openedRun(TASKS)), givenSettings({ limits, gates: [GATE] }), AT)
  expect(foreseen).toEqual({
    isBaselineFirst: true,
    goesOn: [],
    starts: [{ task: 't1', attempt: 't1-a1', reason: 'slot 1 of 1 (no dependencies)' }],
  })
})

test('attempts in progress, and those whose wait is over, resume first', () => {
  const working = givenRun(...openedRun(TASKS), started('t1'))
  expect(previewStart(working, givenSettings(), AT).goesOn).toMatchObject([
    { task: 't1', reason: 'already in progress' },
  ])
  const waited = givenRun(...openedRun(TASKS), started('t1'), WAITING)
  expect(previewStart(waited, givenSettings(), AT)).toMatchObject({
    goesOn: [{ task: 't1', reason: 'the wait after an error is over' }],
    starts: [{ task: 't2' }],
  })
})

test('an engine retries held landings, and starts nothing during a pause', () => {
  const held: RunEvent = { kind: 'landing-held', reason: 'rewritten', hint: '' }
  expect(previewStart(givenRun(...openedRun(TASKS), held), givenSettings(), AT).starts).toHaveLength(2)
  const paused: RunEvent = { kind: 'run-paused', reason: 'requested by the user' }
  const nothing = { isBaselineFirst: false, goesOn: [], starts: [] }
  expect(previewStart(givenRun(...openedRun(TASKS), started('t1'), paused), givenSettings(), AT)).toEqual(nothing)
})

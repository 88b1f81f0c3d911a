import { expect, test } from 'vitest'
import { givenRun, givenSettings, givenTask, landed, openedRun, ready, started } from '../../../test/given/given-run.ts'
import type { Commit } from '../model/ids.ts'
import type { RunEvent } from '../model/run-event.ts'
import { sparesWanted } from './spares-wanted.ts'

const TASKS = [givenTask('t1'), givenTask('t2', ['t1']), givenTask('t3', ['t2']), givenTask('t4', ['t3'])]
const OF_ONE = { limits: { ...givenSettings().limits, parallel: 1 } }
const lineOf = (...events: readonly RunEvent[]): Commit | undefined => givenRun(...events).line?.line

test.each([
  ['none before anything is worked on', openedRun(TASKS), undefined],
  [
    'three, for tasks that may or will start and a landing, at the commit of the line',
    [...openedRun(TASKS), started('t1')],
    3,
  ],
  ['no more than for each slot and a landing', [...openedRun(TASKS, OF_ONE), started('t1')], 2],
  ['no more than for each task and a landing', [...openedRun(TASKS.slice(0, 2)), started('t1')], 2],
  ['none when every task has started', [...openedRun(TASKS.slice(0, 1)), started('t1')], 0],
  [
    'the same after something has landed, at what the line is now',
    [...openedRun(TASKS), started('t1'), ready('t1'), ...landed('t1'), started('t2')],
    3,
  ],
] as const)('wanted are %s', (_, events, count) => {
  const wanted = sparesWanted(givenRun(...events))
  expect(wanted).toEqual(count === undefined ? null : { count, commit: lineOf(...events) })
})

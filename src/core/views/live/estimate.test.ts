import { expect, test } from 'vitest'
import { givenLive, type Timed } from '../../../../test/given/given-live.ts'
import { AT, ended, givenTask, landed, openedRun, started } from '../../../../test/given/given-run.ts'
import type { AttemptId } from '../../model/ids.ts'
import type { RunEvent } from '../../model/run-event.ts'
import { type Estimate, estimateOf } from './estimate.ts'

test('there is no estimate before three tasks have finished', () => {
  expect(estimate([['a', 10]], 5)).toEqual({ kind: 'unknown', why: 'known after 2 more finished tasks' })
  expect(estimate([], 5)).toEqual({ kind: 'unknown', why: 'known after 3 more finished tasks' })
})

test('a run with nothing left has no time left', () => {
  expect(estimate([['a', 10]], 0)).toEqual({ kind: 'none' })
})

test('remaining tasks take as long as finished ones, in the same slots; the spread has a minimum', () => {
  expect(rounded(estimate(THREE, 30))).toEqual({
    kind: 'range',
    fromMs: 806_000,
    toMs: 1_194_000,
    why: '3 finished tasks took 1m40s on average; 30 left, 3 in parallel',
  })
})

const THREE: readonly (readonly [string, number])[] = [
  ['a', 100],
  ['b', 100],
  ['c', 100],
]

test('a chain of tasks does not run in parallel', () => {
  const open = [givenTask('x'), givenTask('y', ['x']), givenTask('z', ['y'])]
  const { fromMs, toMs } = rangeOf(estimate(THREE, 0, open))
  expect(fromMs).toBeLessThan(300_000)
  expect(fromMs).toBeGreaterThan(150_000)
  expect(toMs).toBeGreaterThan(300_000)
})

test('the more tasks have finished, the narrower the range', () => {
  const width = (count: number) => {
    const done = Array.from({ length: count }, (_, n) => [`d${n}`, 80 + (n % 5) * 10] as const)
    const { fromMs, toMs } = rangeOf(estimate(done, 10))
    return toMs - fromMs
  }
  expect(width(20)).toBeLessThan(width(5))
})

test('waits and times without an engine do not count', () => {
  const attempt = 'a-a1' as AttemptId
  const parked: RunEvent = {
    kind: 'attempt-waiting',
    attempt,
    seq: 3,
    reason: 'usage limit',
    for: { kind: 'limit', credential: 'scripted', until: AT + 900_000, estimated: false },
  }
  const { pace } = givenLive([
    [0, ...openedRun([givenTask('a'), givenTask('b')]), started('a')],
    [10, parked],
    [910, { kind: 'attempt-resumed', attempt, stretch: 2, reason: 'the usage limit was lifted' }],
    [930, started('b')],
    [5000, { kind: 'engine-started', pid: 1 }],
    [5010, ...landed('a').slice(1)],
  ])
  expect(pace.finished).toEqual([{ weight: 'small', ms: 40_000 }])
  expect(pace.active.get('b-a1' as AttemptId)?.since).toBe(AT + 5_000_000)
})

test('the time of a failed attempt counts for its task', () => {
  const { pace } = givenLive([
    [0, ...openedRun([givenTask('a')]), started('a')],
    [30, ended('a')],
  ])
  expect([...pace.worked]).toEqual([['a', 30_000]])
})

function estimate(
  done: readonly (readonly [string, number])[],
  left: number,
  more: readonly ReturnType<typeof givenTask>[] = [],
): Estimate {
  const open = Array.from({ length: left }, (_, n) => givenTask(`o${n}`))
  const tasks = [...done.map(([id]) => givenTask(id)), ...open, ...more]
  const facts = done.flatMap(([id, seconds]): readonly Timed[] => [
    [0, started(id)],
    [seconds, ...landed(id).slice(1)],
  ])
  const { run, pace } = givenLive([[0, ...openedRun(tasks)], ...facts])
  return estimateOf({ run, pace, slots: 3, at: AT })
}

function rangeOf(found: Estimate): Extract<Estimate, { kind: 'range' }> {
  if (found.kind !== 'range') throw new Error(found.kind)
  return found
}

function rounded(found: Estimate): Estimate {
  const { fromMs, toMs, ...rest } = rangeOf(found)
  return { ...rest, fromMs: Math.round(fromMs / 1000) * 1000, toMs: Math.round(toMs / 1000) * 1000 }
}

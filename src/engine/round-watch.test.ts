import { expect, test } from 'vitest'
import type { Activity, ShownActivity } from '../core/model/activity.ts'
import type { AttemptId } from '../core/model/ids.ts'
import type { AttemptInput } from '../core/model/input.ts'
import type { Clock } from '../ports/clock.ts'
import { RoundWatch } from './round-watch.ts'

const MINUTE_MS = 60_000

test('activity is published immediately, then at a limited rate', () => {
  const { time, watch, shown } = watching()
  expect(shown()).toEqual(['waiting'])
  watch.onEvent(does({ kind: 'streaming' }))
  time.pass(1)
  watch.onEvent(does({ kind: 'tool', name: 'Bash' }))
  time.pass(100)
  expect(shown()).toEqual(['waiting'])
  time.pass(400)
  expect(shown()).toEqual(['waiting', 'tool'])
  time.pass(5 * MINUTE_MS)
  expect(shown()).toHaveLength(12)
  watch.stop()
  time.pass(5 * MINUTE_MS)
  expect(shown()).toHaveLength(12)
})

test('two minutes of silence are reported once, and again after the next sign of life', () => {
  const { time, watch, inputs } = watching()
  time.pass(5 * MINUTE_MS)
  watch.onEvent({ kind: 'raw', line: 'x' })
  time.pass(3 * MINUTE_MS)
  const quiet = { kind: 'quiet', silentMs: 2 * MINUTE_MS, activity: 'waiting' }
  expect(inputs).toEqual([quiet, quiet])
})

test.each([
  ['a model', { kind: 'waiting' }, 10],
  ['a tool', { kind: 'tool', name: 'Bash' }, 30],
] as const)('%s that stays silent is stopped after its minutes', (_who, activity, minutes) => {
  const { time, watch, stops } = watching()
  watch.onEvent(does(activity))
  time.pass(minutes * MINUTE_MS - 1)
  expect(stops()).toBe(0)
  time.pass(1)
  expect([stops(), watch.endOverride()]).toEqual([1, null])
})

test('an agent that only retries counts as silent, and its model as overloaded', () => {
  const { time, watch, stops } = watching()
  for (let minute = 0; minute < 10; minute += 1) {
    watch.onEvent(does({ kind: 'retrying', attempt: minute, until: null }))
    watch.onEvent({ kind: 'raw', line: 'try again' })
    time.pass(MINUTE_MS)
  }
  expect([stops(), watch.endOverride()?.kind]).toEqual([1, 'overloaded'])
})

test('an agent that gets through after retries continues', () => {
  const { time, watch, stops } = watching()
  watch.onEvent(does({ kind: 'retrying', attempt: 1, until: null }))
  time.pass(9 * MINUTE_MS)
  watch.onEvent(does({ kind: 'streaming' }))
  time.pass(9 * MINUTE_MS)
  expect([stops(), watch.endOverride()]).toEqual([0, null])
})

function does(activity: Activity) {
  return { kind: 'activity', activity } as const
}

function watching() {
  const time = handClock()
  const shown: ShownActivity[] = []
  const inputs: AttemptInput[] = []
  let stops = 0
  const activities = {
    show: (one: ShownActivity) => void shown.push(one),
    forget: () => {},
    clear: () => {},
    read: () => new Map(),
  }
  const watch = new RoundWatch({
    ports: { clock: time.clock, activities },
    order: { attempt: 't1-a1' as AttemptId, round: 1, silenceMs: 10 * MINUTE_MS },
    post: (input) => void inputs.push(input),
    onTimeout: () => {
      stops += 1
    },
  })
  return { time, watch, inputs, shown: () => shown.map((one) => one.activity.kind), stops: () => stops }
}

/** Clock that only moves when advanced with `pass`. */
function handClock() {
  let now = 0
  const timers = new Set<{ readonly at: number; wake(): void }>()
  const clock: Clock = {
    now: () => now,
    uuid: () => 'uuid',
    after(ms, wake) {
      const timer = { at: now + ms, wake }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }
  const pass = (ms: number) => {
    const until = now + ms
    for (;;) {
      const next = [...timers].sort((a, b) => a.at - b.at)[0]
      if (next === undefined || next.at > until) break
      now = next.at
      timers.delete(next)
      next.wake()
    }
    now = until
  }
  return { clock, pass }
}

import { expect, test } from 'vitest'
import type { AttemptId } from '../core/model/ids.ts'
import { HeadStart } from './head-start.ts'

const [ONE, TWO] = ['one-a1', 'two-a1'] as [AttemptId, AttemptId]

/** A head start whose time passes when it is told to; `wait` tells whether the wait is over. */
function start() {
  const timers = new Set<() => void>()
  const after = (_: number, wake: () => void) => {
    timers.add(wake)
    return () => void timers.delete(wake)
  }
  const headStart = new HeadStart({ now: () => 0, uuid: () => '', after })
  const wait = () => {
    let isOver = false
    void headStart.over().then(() => {
      isOver = true
    })
    return async () => {
      await new Promise(setImmediate)
      return isOver
    }
  }
  const passTime = () => {
    for (const wake of timers) wake()
  }
  return { headStart, timers, wait, passTime }
}

test('nobody waits while no agent is to begin', async () => {
  const { headStart, wait } = start()
  expect(await wait()()).toBe(true)
  headStart.give(ONE)
  headStart.end(ONE)
  expect(await wait()()).toBe(true)
})

test('who waits goes on when every agent has begun, and leaves no timer', async () => {
  const { headStart, timers, wait } = start()
  headStart.give(ONE)
  headStart.give(TWO)
  const isOver = wait()
  headStart.end(TWO)
  expect(await isOver()).toBe(false)
  headStart.end(ONE)
  expect(await isOver()).toBe(true)
  expect(timers.size).toBe(0)
})

test('who has waited for a moment goes on, whatever keeps the agent', async () => {
  const { headStart, wait, passTime } = start()
  headStart.give(ONE)
  const isOver = wait()
  expect(await isOver()).toBe(false)
  passTime()
  expect(await isOver()).toBe(true)
  headStart.end(ONE)
  expect(await wait()()).toBe(true)
})

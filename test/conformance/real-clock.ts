import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src/ports/clock.ts'

/** Clock with real time and real timers. */
export const REAL_CLOCK: Clock = {
  now: () => Date.now(),
  uuid: () => randomUUID(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms)
    return () => clearTimeout(timer)
  },
}

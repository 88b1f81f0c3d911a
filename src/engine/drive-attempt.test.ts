import { expect, test } from 'vitest'
import { spec } from '../../test/given/given-attempt.ts'
import { ended, givenRun, givenTask, openedRun, started } from '../../test/given/given-run.ts'
import { openMemoryStore } from '../adapters/stores/memory/memory-store.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import { type AttemptId, attemptLedger } from '../core/model/ids.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { AttemptLoop } from './drive-attempt.ts'
import { machines } from './machines.ts'

const A1 = 't1-a1' as AttemptId

test('what another engine wrote before the ledger was taken over is told to the run', async () => {
  const store = openMemoryStore()
  const ledger = attemptLedger(A1)
  const written = [{ kind: 'attempt-opened', spec: spec() }, ended('t1')] as readonly AttemptEvent[]
  const { epoch } = await store.claim(ledger)
  await store.append({ ledger, epoch, after: 0, at: 1, events: written })
  const run = givenRun(...openedRun([givenTask('t1')]), started('t1'))
  const heard: string[] = []
  const clock = { now: () => 2, uuid: () => '', after: () => () => {} }
  const loop = await AttemptLoop.open({ store, clock } as unknown as EnginePorts, machines.attempt, A1, {
    heard: (attempt, seq, event) => heard.push(`${attempt} ${seq} ${event.kind}`),
    halt: () => {},
    mode: () => 'driving',
    run: () => run,
    changed: () => {},
  })
  await loop.close()
  expect(heard).toEqual(['t1-a1 1 attempt-opened', 't1-a1 2 attempt-ended'])
})

import { expect, test } from 'vitest'
import { spec } from '../../test/given/given-attempt.ts'
import { ended, givenRun, givenTask, openedRun, started } from '../../test/given/given-run.ts'
import { openMemoryStore } from '../adapters/stores/memory/memory-store.ts'
import type { AttemptEvent } from '../core/model/attempt-event.ts'
import { type AttemptId, attemptLedger } from '../core/model/ids.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { AttemptEngine } from './attempt-engine.ts'
import { stateMachines } from './state-machines.ts'

const A1 = 't1-a1' as AttemptId

test('events that another engine appended before the claim reach the run', async () => {
  const store = openMemoryStore()
  const ledger = attemptLedger(A1)
  const written = [{ kind: 'attempt-opened', spec: spec() }, ended('t1')] as readonly AttemptEvent[]
  const { epoch } = await store.claim(ledger)
  await store.append({ ledger, epoch, after: 0, at: 1, events: written })
  const run = givenRun(...openedRun([givenTask('t1')]), started('t1'))
  const received: string[] = []
  const clock = { now: () => 2, uuid: () => '', after: () => () => {} }
  const engine = await AttemptEngine.open({ store, clock } as unknown as EnginePorts, stateMachines.attempt, A1, {
    onEvent: (attempt, seq, event) => received.push(`${attempt} ${seq} ${event.kind}`),
    onHalt: () => {},
    mode: () => 'driving',
    run: () => run,
    onSettled: () => {},
  })
  await engine.close()
  expect(received).toEqual(['t1-a1 1 attempt-opened', 't1-a1 2 attempt-ended'])
})

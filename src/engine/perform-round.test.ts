import { expect, test } from 'vitest'
import { ORDER } from '../../test/conformance/scripted-world.ts'
import type { AttemptInput } from '../core/model/input.ts'
import type { AgentDriver, RoundSpec } from '../ports/agent-driver.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import { CurrentRound, type OpenAttempt } from './open-attempt.ts'
import { performRound } from './perform-round.ts'

test('hosts that the sandbox refuses to an agent reach its attempt, with the round', async () => {
  const inputs: AttemptInput[] = []
  const attempt = { round: new CurrentRound(), post: async (input: AttemptInput) => void inputs.push(input) }
  const ports = {
    driver: () => driverThat((spec) => spec.onHostRefused({ host: 'a.example', why: 'not allowed' })),
    clock: { now: () => 0, uuid: () => '', after: () => () => {} },
    workspaces: { folder: () => '/w' },
    transcripts: { write: () => {}, close: () => {} },
    activities: { show: () => {}, forget: () => {} },
  }
  const order = { ...ORDER, round: 7 }
  const signal = new AbortController().signal
  await performRound(ports as unknown as EnginePorts, order, attempt as unknown as OpenAttempt, signal)
  expect(inputs).toEqual([{ kind: 'host-refused', round: 7, host: 'a.example', why: 'not allowed' }])
})

/** Returns a driver whose agent does one thing and ends. */
function driverThat(acts: (spec: RoundSpec) => void): Pick<AgentDriver, 'capabilities' | 'start'> {
  return {
    capabilities: { tools: false, forms: false } as AgentDriver['capabilities'],
    start: (spec) => ({ events: events(spec, acts), cancel() {}, handOver() {}, say: () => false }),
  }
}

async function* events(spec: RoundSpec, acts: (spec: RoundSpec) => void) {
  acts(spec)
  const end = { kind: 'ok', detail: '', claim: null, resetAt: null, note: null } as const
  yield { kind: 'ended', end } as const
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RoundOrder } from '../../src/core/model/effect.ts'
import { AGENT_ENDS, type AgentEndKind } from '../../src/core/model/round.ts'
import type { AgentEvent, AgentRound } from '../../src/ports/agent-driver.ts'
import { HANG_MS } from '../patience.ts'
import { collectEvents, endIn } from './agent-events.ts'

/** Step of an agent, as written in scripts. */
export type ScriptStep =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly text: string } }
  | { readonly wait: number }
  | { readonly usage: Partial<Record<'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'window', number>> }
  | { readonly report: 'done' | 'blocked' | 'continue'; readonly reason?: string }
  | { readonly end: string; readonly resetAt?: number }
  | { readonly note: string }
  | { readonly hang: true }

/** Environment in which one agent at a time can work, real or simulated. */
export interface DriverWorld {
  /** Ends that a script can cause. */
  readonly ends: readonly AgentEndKind[]
  /** Window of the agent's model, or null when the script sets it. */
  readonly modelWindow: number | null
  /** Starts a round whose agent does these steps. */
  start(steps: readonly ScriptStep[], overrides?: Partial<RoundOrder>): AgentRound
  /** Kills the agent from outside, as kill -9 does. */
  kill(): Promise<void>
  /** Reads a file of the workspace, or returns null when there is none. */
  read(path: string): Promise<string | null>
  /** Returns the promise's value, or "not yet" when it does not settle within this time of the world. */
  settledWithin<T>(ms: number, promise: Promise<T>): Promise<T | 'not yet'>
  leave(): Promise<void>
}

/** Conformance suite for drivers. */
export function driverConformance(name: string, make: () => Promise<DriverWorld>): void {
  describe(`a driver: ${name}`, () => {
    let current: DriverWorld
    beforeEach(async () => {
      current = await make()
    })
    afterEach(() => current.leave())
    const world = (): DriverWorld => current
    endsOnce(world)
    reportsUsage(world)
    isCancelled(world)
    handsOver(world)
    takesSteering(world)
    survivesCrashes(world)
  })
}

function endsOnce(world: () => DriverWorld): void {
  test.for(AGENT_ENDS)('the end "%s" is reported once, as the last event', async (kind, { skip }) => {
    skip(!world().ends.includes(kind), 'no script can cause it')
    const events = await collectEvents(
      world().start([{ say: 'one' }, { report: 'done' }, { end: kind }, { say: 'never' }]),
    )
    expect(events.filter((event) => event.kind === 'ended')).toEqual([
      { kind: 'ended', end: { kind, detail: expect.any(String), claim: { kind: 'done' }, resetAt: null, note: null } },
    ])
    expect(events.at(-1)?.kind).toBe('ended')
  })

  test('the reset time of a limit is reported', async () => {
    const end = await endOf(world().start([{ end: 'rate-limited', resetAt: 1_900_000_000 }]))
    expect(end).toMatchObject({ kind: 'rate-limited', resetAt: 1_900_000_000_000, claim: null })
  })

  test.each([
    ['nothing', [], null],
    ['done', [{ report: 'done' }], { kind: 'done' }],
    ['continue', [{ report: 'continue' }], { kind: 'continue' }],
    ['blocked', [{ report: 'blocked', reason: 'no key' }], { kind: 'blocked', reason: 'no key' }],
    ['done after continue', [{ report: 'continue' }, { report: 'done' }], { kind: 'done' }],
  ] as const)('an agent that claims %s and stops has ended ok, with its claim', async (_name, steps, claim) => {
    const rest = { detail: expect.any(String), resetAt: null, note: null }
    expect(await endOf(world().start(steps))).toEqual({ kind: 'ok', claim, ...rest })
  })

  test('files that the agent wrote exist when the round has ended', async () => {
    await endOf(world().start([{ write: { path: 'deep/down/a.txt', text: 'hällo\n' } }]))
    expect(await world().read('deep/down/a.txt')).toBe('hällo\n')
  })
}

function reportsUsage(world: () => DriverWorld): void {
  test('the session has the ordered id and is reported before any usage', async () => {
    const session = '7a3c0f6e-57a1-4f5e-9d53-8a4f1f1f8a10' as RoundOrder['session']
    const events = await collectEvents(world().start([{ usage: { input: 1 } }], { session }))
    const reported = events.filter(({ kind }) => kind === 'session-opened' || kind === 'usage')
    expect(reported).toMatchObject([{ kind: 'session-opened', session }, { usage: { session } }])
  })

  test('usage is reported unchanged, with message ids that are unique in the session', async () => {
    const steps = [{ usage: { input: 5, cacheRead: 4, cacheWrite: 3, output: 2, window: 200_000 } }, { usage: {} }]
    const rounds = [1, 2, 3].map((round) => ({ round, phaseRound: round, sessionKnown: round > 1 }))
    const usages = []
    for (const overrides of rounds) {
      usages.push(...usagesIn(await collectEvents(world().start(steps, overrides))))
    }
    const { modelWindow } = world()
    const windows = modelWindow === null ? [200_000, null] : [modelWindow, modelWindow]
    expect(usages.slice(0, 2)).toMatchObject([
      { tokens: { input: 5, cacheRead: 4, cacheWrite: 3, output: 2 }, window: windows[0] },
      { tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }, window: windows[1] },
    ])
    expect(new Set(usages.map(({ message }) => message)).size).toBe(6)
  })
}

function isCancelled(world: () => DriverWorld): void {
  test.each(['cancelled', 'timeout'] as const)('a hanging agent ends only when it is %s', async (reason) => {
    const round = world().start([{ say: 'here I stay' }, { hang: true }])
    const { rest } = await untilEvent(round)
    expect(await world().settledWithin(SHORT_MS, rest)).toBe('not yet')
    round.cancel(reason)
    expect(endIn(await world().settledWithin(HANG_MS, rest))).toMatchObject({
      kind: reason,
      claim: null,
      resetAt: null,
    })
  })

  test('a round that is cancelled before its events are read ends, too', async () => {
    const round = world().start([{ hang: true }])
    round.cancel('cancelled')
    expect(endIn(await world().settledWithin(HANG_MS, collectEvents(round)))).toMatchObject({ kind: 'cancelled' })
  })

  test('the first cancel sets the reason, and a cancel after the end is harmless', async () => {
    const round = world().start([{ hang: true }])
    const { rest } = await untilEvent(round)
    round.cancel('timeout')
    round.cancel('cancelled')
    expect(endIn(await world().settledWithin(HANG_MS, rest))).toMatchObject({ kind: 'timeout' })
    round.cancel('cancelled')
  })

  test('a cancel after a normal end changes nothing', async () => {
    const round = world().start([{ report: 'done' }])
    expect(await endOf(round)).toMatchObject({ kind: 'ok' })
    round.cancel('cancelled')
    expect(await endOf(world().start([], { round: 2 }))).toMatchObject({ kind: 'ok' })
  })
}

function handsOver(world: () => DriverWorld): void {
  test('a session asked to hand over stops between two steps and reports its note', async () => {
    const round = world().start([{ usage: { input: 1 } }, { note: 'all but b.txt' }, ...WAITS], { turnsMax: 10_000 })
    const { rest } = await untilEvent(round, 'usage')
    round.handOver('boundary')
    round.handOver('boundary')
    expect(endIn(await world().settledWithin(HANG_MS, rest))).toMatchObject(HANDED_OVER)
  })

  test('a session asked to hand over now does not finish its step', async () => {
    const round = world().start([{ usage: { input: 1 } }, { note: 'all but b.txt' }, { hang: true }])
    const { rest } = await untilEvent(round, 'usage')
    round.handOver('now')
    expect(endIn(await world().settledWithin(HANG_MS, rest))).toMatchObject(HANDED_OVER)
  })

  test('a session without a note hands over without one', async () => {
    const round = world().start([{ usage: { input: 1 } }, { hang: true }])
    const { rest } = await untilEvent(round, 'usage')
    round.handOver('now')
    expect(endIn(await world().settledWithin(HANG_MS, rest))).toMatchObject({ ...HANDED_OVER, note: null })
    round.handOver('now')
  })
}

const HANDED_OVER = { kind: 'context-exhausted', claim: null, note: 'all but b.txt' }
// Enough steps to outlast any wait for the hand-off.
const WAITS = Array.from({ length: HANG_MS / 100 }, () => ({ wait: 0.1 }))

function takesSteering(world: () => DriverWorld): void {
  test('steering does not change how a round ends, and is refused after the end', async () => {
    const round = world().start([{ say: 'here I am' }, { wait: 0.2 }, { report: 'done' }])
    const { rest } = await untilEvent(round)
    round.say('Use tabs.')
    expect(endIn(await rest)).toMatchObject({ kind: 'ok', claim: { kind: 'done' } })
    expect(round.say('Too late.')).toBe(false)
  })
}

function survivesCrashes(world: () => DriverWorld): void {
  test('a killed agent has crashed whatever it claimed, and its reported usage is kept', async () => {
    const round = world().start([{ usage: { input: 7 } }, { report: 'done' }, { say: 'last words' }, { hang: true }])
    const { seen, rest } = await untilEvent(round, 'usage')
    await world().kill()
    const events = await world().settledWithin(HANG_MS, rest)
    expect(endIn(events)).toMatchObject({ kind: 'crashed', claim: null })
    expect(usagesIn(seen)).toHaveLength(1)
  })

  test('after a crash the next round starts normally', async () => {
    const round = world().start([{ hang: true }])
    const { rest } = await untilEvent(round)
    await world().kill()
    await world().settledWithin(HANG_MS, rest)
    expect(await endOf(world().start([{ report: 'done' }], { round: 2 }))).toMatchObject({ kind: 'ok' })
  })
}

const SHORT_MS = 200

async function endOf(round: AgentRound) {
  return endIn(await collectEvents(round))
}

function usagesIn(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.kind === 'usage' ? [event.usage] : []))
}

/** Reads events until one of the kind arrives; `rest` collects the others. */
async function untilEvent(round: AgentRound, kind: AgentEvent['kind'] = 'session-opened') {
  const events = round.events[Symbol.asyncIterator]()
  const seen: AgentEvent[] = []
  for (let last: AgentEvent['kind'] | null = null; last !== kind; ) {
    const { value, done } = await events.next()
    if (done) throw new Error(`The round ended without any ${kind}: ${JSON.stringify(seen)}`)
    seen.push(value)
    last = value.kind
  }
  const rest = collectEvents({ ...round, events: { [Symbol.asyncIterator]: () => events } })
  return { seen, rest }
}

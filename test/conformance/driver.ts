import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RoundOrder } from '../../src/core/model/effect.ts'
import { AGENT_ENDS, type AgentEndKind } from '../../src/core/model/round.ts'
import type { AgentEvent, AgentRound } from '../../src/ports/agent-driver.ts'
import { HANG_MS } from '../patience.ts'
import { all, endIn } from './agent-events.ts'

/** One step of an agent, as scripts write it. */
export type ScriptStep =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly text: string } }
  | { readonly wait: number }
  | { readonly usage: Partial<Record<'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'window', number>> }
  | { readonly report: 'done' | 'blocked' | 'continue'; readonly reason?: string }
  | { readonly end: string; readonly resetAt?: number }
  | { readonly note: string }
  | { readonly hang: true }

/** A place where one agent at a time can work, real or simulated. */
export interface DriverWorld {
  /** The ends that a script can bring about. */
  readonly ends: readonly AgentEndKind[]
  /** How large the window of the agent's model is; null: as a script says. */
  readonly modelWindow: number | null
  /** Starts a round whose agent does these steps. */
  start(steps: readonly ScriptStep[], given?: Partial<RoundOrder>): AgentRound
  /** Ends the agent from outside, as kill -9 does. */
  kill(): Promise<void>
  /** What a file of the workspace holds; null when there is none. */
  read(path: string): Promise<string | null>
  /** What a promise gives when it settles within so much time of this world. */
  within<T>(ms: number, promise: Promise<T>): Promise<T | 'not yet'>
  leave(): Promise<void>
}

/** What every driver promises, whatever its agents are. */
export function driverConformance(name: string, make: () => Promise<DriverWorld>): void {
  describe(`a driver: ${name}`, () => {
    let made: DriverWorld
    beforeEach(async () => {
      made = await make()
    })
    afterEach(() => made.leave())
    const world = (): DriverWorld => made
    endsOnce(world)
    tellsUsage(world)
    isCancelled(world)
    handsOver(world)
    takesWords(world)
    survivesCrashes(world)
  })
}

function endsOnce(world: () => DriverWorld): void {
  test.for(AGENT_ENDS)('an end as "%s" comes through, once and last', async (kind, { skip }) => {
    skip(!world().ends.includes(kind), 'no script brings it about')
    const events = await all(world().start([{ say: 'one' }, { report: 'done' }, { end: kind }, { say: 'never' }]))
    expect(events.filter((event) => event.kind === 'ended')).toEqual([
      { kind: 'ended', end: { kind, detail: expect.any(String), claim: { kind: 'done' }, resetAt: null, note: null } },
    ])
    expect(events.at(-1)?.kind).toBe('ended')
  })

  test('the time a limit ends comes through', async () => {
    const end = await endOf(world().start([{ end: 'rate-limited', resetAt: 1_900_000_000 }]))
    expect(end).toMatchObject({ kind: 'rate-limited', resetAt: 1_900_000_000_000, claim: null })
  })

  test.each([
    ['nothing', [], null],
    ['done', [{ report: 'done' }], { kind: 'done' }],
    ['continue', [{ report: 'continue' }], { kind: 'continue' }],
    ['blocked', [{ report: 'blocked', reason: 'no key' }], { kind: 'blocked', reason: 'no key' }],
    ['another thing at last', [{ report: 'continue' }, { report: 'done' }], { kind: 'done' }],
  ] as const)('an agent that claims %s and goes home has ended ok, with its claim', async (_what, steps, claim) => {
    const rest = { detail: expect.any(String), resetAt: null, note: null }
    expect(await endOf(world().start(steps))).toEqual({ kind: 'ok', claim, ...rest })
  })

  test('what the agent wrote is there when the round has ended', async () => {
    await endOf(world().start([{ write: { path: 'deep/down/a.txt', text: 'hällo\n' } }]))
    expect(await world().read('deep/down/a.txt')).toBe('hällo\n')
  })
}

function tellsUsage(world: () => DriverWorld): void {
  test('the session is the one that was ordered, and is told before any usage', async () => {
    const session = '7a3c0f6e-57a1-4f5e-9d53-8a4f1f1f8a10' as RoundOrder['session']
    const events = await all(world().start([{ usage: { input: 1 } }], { session }))
    const told = events.filter(({ kind }) => kind === 'session-opened' || kind === 'usage')
    expect(told).toMatchObject([{ kind: 'session-opened', session }, { usage: { session } }])
  })

  test('usage comes through as it was, under ids that no round of the session repeats', async () => {
    const steps = [{ usage: { input: 5, cacheRead: 4, cacheWrite: 3, output: 2, window: 200_000 } }, { usage: {} }]
    const rounds = [1, 2, 3].map((round) => ({ round, phaseRound: round, sessionKnown: round > 1 }))
    const usages = []
    for (const given of rounds) usages.push(...usagesIn(await all(world().start(steps, given))))
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
    const { rest } = await untilUnderWay(round)
    expect(await world().within(SHORT_MS, rest)).toBe('not yet')
    round.cancel(reason)
    expect(endIn(await world().within(HANG_MS, rest))).toMatchObject({ kind: reason, claim: null, resetAt: null })
  })

  test('a round that is cancelled before anybody listened has ended, too', async () => {
    const round = world().start([{ hang: true }])
    round.cancel('cancelled')
    expect(endIn(await world().within(HANG_MS, all(round)))).toMatchObject({ kind: 'cancelled' })
  })

  test('the first cancel gives the reason, and one after the end is harmless', async () => {
    const round = world().start([{ hang: true }])
    const { rest } = await untilUnderWay(round)
    round.cancel('timeout')
    round.cancel('cancelled')
    expect(endIn(await world().within(HANG_MS, rest))).toMatchObject({ kind: 'timeout' })
    round.cancel('cancelled')
  })

  test('a cancel after an end of its own changes nothing', async () => {
    const round = world().start([{ report: 'done' }])
    expect(await endOf(round)).toMatchObject({ kind: 'ok' })
    round.cancel('cancelled')
    expect(await endOf(world().start([], { round: 2 }))).toMatchObject({ kind: 'ok' })
  })
}

function handsOver(world: () => DriverWorld): void {
  test('a session that is told to hand over stops between two steps, with what it wrote', async () => {
    const round = world().start([{ usage: { input: 1 } }, { note: 'all but b.txt' }, ...WAITS], { turnsMax: 10_000 })
    const { rest } = await untilUnderWay(round, 'usage')
    round.handOver('boundary')
    round.handOver('boundary')
    expect(endIn(await world().within(HANG_MS, rest))).toMatchObject(HANDED_OVER)
  })

  test('told to hand over at once, it waits for nothing', async () => {
    const round = world().start([{ usage: { input: 1 } }, { note: 'all but b.txt' }, { hang: true }])
    const { rest } = await untilUnderWay(round, 'usage')
    round.handOver('now')
    expect(endIn(await world().within(HANG_MS, rest))).toMatchObject(HANDED_OVER)
  })

  test('a session that writes nothing hands over without a note', async () => {
    const round = world().start([{ usage: { input: 1 } }, { hang: true }])
    const { rest } = await untilUnderWay(round, 'usage')
    round.handOver('now')
    expect(endIn(await world().within(HANG_MS, rest))).toMatchObject({ ...HANDED_OVER, note: null })
    round.handOver('now')
  })
}

const HANDED_OVER = { kind: 'context-exhausted', claim: null, note: 'all but b.txt' }
// Until it is told, however long that takes.
const WAITS = Array.from({ length: HANG_MS / 100 }, () => ({ wait: 0.1 }))

function takesWords(world: () => DriverWorld): void {
  test('a person’s words change nothing about how a round ends, and nobody takes them after that', async () => {
    const round = world().start([{ say: 'here I am' }, { wait: 0.2 }, { report: 'done' }])
    const { rest } = await untilUnderWay(round)
    round.say('Use tabs.')
    expect(endIn(await rest)).toMatchObject({ kind: 'ok', claim: { kind: 'done' } })
    expect(round.say('Too late.')).toBe(false)
  })
}

function survivesCrashes(world: () => DriverWorld): void {
  test('a killed agent has crashed, whatever it claimed, and keeps the usage it told', async () => {
    const round = world().start([{ usage: { input: 7 } }, { report: 'done' }, { say: 'last words' }, { hang: true }])
    const { seen, rest } = await untilUnderWay(round, 'usage')
    await world().kill()
    const events = await world().within(HANG_MS, rest)
    expect(endIn(events)).toMatchObject({ kind: 'crashed', claim: null })
    expect(usagesIn(seen)).toHaveLength(1)
  })

  test('after a crash the next round starts as ever', async () => {
    const round = world().start([{ hang: true }])
    const { rest } = await untilUnderWay(round)
    await world().kill()
    await world().within(HANG_MS, rest)
    expect(await endOf(world().start([{ report: 'done' }], { round: 2 }))).toMatchObject({ kind: 'ok' })
  })
}

const SHORT_MS = 200

async function endOf(round: AgentRound) {
  return endIn(await all(round))
}

function usagesIn(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.kind === 'usage' ? [event.usage] : []))
}

/** Listens until an event of the kind has come; the rest is still to come. */
async function untilUnderWay(round: AgentRound, kind: AgentEvent['kind'] = 'session-opened') {
  const events = round.events[Symbol.asyncIterator]()
  const seen: AgentEvent[] = []
  for (let last: AgentEvent['kind'] | null = null; last !== kind; ) {
    const { value, done } = await events.next()
    if (done) throw new Error(`The round ended without any ${kind}: ${JSON.stringify(seen)}`)
    seen.push(value)
    last = value.kind
  }
  const rest = all({ ...round, events: { [Symbol.asyncIterator]: () => events } })
  return { seen, rest }
}

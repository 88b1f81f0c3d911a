import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Check } from '../../src/core/model/effect.ts'
import type { Commit, Tree } from '../../src/core/model/ids.ts'
import { PLAIN_RECEIPT } from '../../src/core/model/verdict.ts'
import type { Gate, GateOrder } from '../../src/ports/gate.ts'
import { HANG_MS } from '../patience.ts'

/** What a check does, as data. */
export interface CheckPlan {
  readonly says: string
  /** Its exit code, or "hangs" when it never ends. */
  readonly exits: number | 'hangs'
}

/** A place where a gate can judge, real or simulated. */
export interface GateWorld {
  readonly gate: Gate
  readonly folder: string
  /** The command that does this. */
  command(plan: CheckPlan): string
  /** What a promise gives when it settles within so much time of this world. */
  within<T>(ms: number, promise: Promise<T>): Promise<T | 'not yet'>
  leave(): Promise<void>
}

const COMMIT = 'c'.repeat(40) as Commit
const TREE = 'e'.repeat(40) as Tree
const SHA256 = /^[0-9a-f]{64}$/

/** What every gate promises. */
export function gateConformance(name: string, make: () => Promise<GateWorld>): void {
  describe(`a gate: ${name}`, () => {
    let made: GateWorld
    beforeEach(async () => {
      made = await make()
    })
    afterEach(() => made.leave())
    const world = (): GateWorld => made
    givesReceipts(world)
    ends(world)
    digests(world)
  })
}

function givesReceipts(world: () => GateWorld): void {
  test('exit code 0 passes, and the receipt says what was proven', async () => {
    const plan: CheckPlan = { says: 'all well', exits: 0 }
    expect(await judge(world(), plan)).toEqual({
      receipt: {
        gate: 'tests',
        command: world().command(plan),
        exitCode: 0,
        timedOut: false,
        passed: true,
        blocking: true,
        commit: COMMIT,
        tree: TREE,
        durationMs: expect.any(Number),
        ...PLAIN_RECEIPT,
        outputDigest: expect.stringMatching(SHA256),
        environmentDigest: expect.stringMatching(SHA256),
      },
      output: expect.stringContaining('all well'),
      failures: [],
      names: { passed: [], skipped: [], failed: [] },
    })
  })

  test.each([1, 3, 127])('exit code %i does not, and its output is there to read', async (exits) => {
    const { receipt, output } = await judge(world(), { says: 'it broke', exits })
    expect(receipt).toMatchObject({ passed: false, exitCode: exits, timedOut: false, blocking: true })
    expect(output).toContain('it broke')
  })

  test('a red check that only warns does not block', async () => {
    const { receipt } = await judge(world(), { says: '', exits: 1 }, { onFail: 'warn' })
    expect(receipt).toMatchObject({ passed: false, blocking: false })
  })
}

function ends(world: () => GateWorld): void {
  test('a check that takes too long is red', async () => {
    const result = await world().within(HANG_MS, judge(world(), { says: '', exits: 'hangs' }, { timeoutMs: 200 }))
    expect(result).toMatchObject({ receipt: { passed: false, exitCode: null, timedOut: true } })
  })

  test('a check that is called off ends, and is not green', async () => {
    const calledOff = new AbortController()
    const result = world().gate.check(order(world(), { says: '', exits: 'hangs' }), calledOff.signal)
    expect(await world().within(100, result)).toBe('not yet')
    calledOff.abort()
    expect(await world().within(HANG_MS, result)).toMatchObject({
      receipt: { passed: false, exitCode: null, timedOut: false },
    })
  })

  test('a check that is called off before it starts is not green', async () => {
    const result = await world().gate.check(order(world(), { says: '', exits: 0 }), AbortSignal.abort())
    expect(result.receipt).toMatchObject({ passed: false, exitCode: null })
  })
}

function digests(world: () => GateWorld): void {
  test('the same output has the same digest, and other output another', async () => {
    const digests = []
    for (const says of ['a', 'a', 'b']) digests.push((await judge(world(), { says, exits: 0 })).receipt.outputDigest)
    expect(digests[1]).toBe(digests[0])
    expect(digests[2]).not.toBe(digests[0])
  })

  test('the environment has a digest that tells every difference and gives nothing away', async () => {
    const digest = async (given: Partial<GateOrder>): Promise<string> => {
      const result = await judge(world(), { says: '', exits: 0 }, {}, given)
      expect(JSON.stringify(result)).not.toContain('hunter2')
      return result.receipt.environmentDigest
    }
    const same = await digest({ env: { A: 'hunter2', B: 'x' } })
    expect(await digest({ env: { B: 'x', A: 'hunter2' } })).toBe(same)
    const others = [
      await digest({ env: { A: 'hunter2' } }),
      await digest({ env: { A: 'x', B: 'hunter2' } }),
      await digest({ env: { A: 'hunter2', B: 'x' }, place: 'workspace' }),
      await digest({ env: { A: 'hunter2', B: 'x' }, setup: ['npm ci'] }),
    ]
    expect(new Set([same, ...others]).size).toBe(5)
    const known = { place: 'checkout' as const, setup: [], env: { A: 'hunter2', B: 'x' } }
    expect(world().gate.environmentDigest(known)).toBe(same)
  })
}

function judge(world: GateWorld, plan: CheckPlan, check: Partial<Check> = {}, given: Partial<GateOrder> = {}) {
  return world.gate.check(order(world, plan, check, given), new AbortController().signal)
}

function order(
  world: GateWorld,
  plan: CheckPlan,
  check: Partial<Check> = {},
  given: Partial<GateOrder> = {},
): GateOrder {
  return {
    check: { name: 'tests', run: world.command(plan), onFail: 'block', timeoutMs: HANG_MS, coverage: null, ...check },
    folder: world.folder,
    place: 'checkout',
    setup: [],
    commit: COMMIT,
    tree: TREE,
    env: {},
    outputFile: null,
    ...given,
  }
}

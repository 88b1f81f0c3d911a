import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Check } from '../../src/core/model/effect.ts'
import type { Commit, Tree } from '../../src/core/model/ids.ts'
import { PLAIN_RECEIPT } from '../../src/core/model/verdict.ts'
import type { Gate, GateOrder } from '../../src/ports/gate.ts'
import { HANG_MS } from '../patience.ts'

/** Behaviour of a check. */
export interface CheckPlan {
  readonly output: string
  /** Exit code, or "hangs" when the check never ends. */
  readonly exit: number | 'hangs'
}

/** Environment in which a gate can run checks, real or simulated. */
export interface GateWorld {
  readonly gate: Gate
  readonly folder: string
  /** Returns a command that behaves as planned. */
  command(plan: CheckPlan): string
  /** Returns the promise's value, or "not yet" when it does not settle within this time of the world. */
  settledWithin<T>(ms: number, promise: Promise<T>): Promise<T | 'not yet'>
  leave(): Promise<void>
}

const COMMIT = 'c'.repeat(40) as Commit
const TREE = 'e'.repeat(40) as Tree
const SHA256 = /^[0-9a-f]{64}$/

/** Conformance suite for gates. */
export function gateConformance(name: string, make: () => Promise<GateWorld>): void {
  describe(`a gate: ${name}`, () => {
    let current: GateWorld
    beforeEach(async () => {
      current = await make()
    })
    afterEach(() => current.leave())
    const world = (): GateWorld => current
    writesReceipts(world)
    ends(world)
    digests(world)
  })
}

function writesReceipts(world: () => GateWorld): void {
  test('exit code 0 passes, and the receipt says what ran on which commit', async () => {
    const plan: CheckPlan = { output: 'all well', exit: 0 }
    expect(await runCheck(world(), plan)).toEqual({
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

  test.each([1, 3, 127])('exit code %i fails, and the output can be read', async (exit) => {
    const { receipt, output } = await runCheck(world(), { output: 'it broke', exit })
    expect(receipt).toMatchObject({ passed: false, exitCode: exit, timedOut: false, blocking: true })
    expect(output).toContain('it broke')
  })

  test('a failed check that only warns does not block', async () => {
    const { receipt } = await runCheck(world(), { output: '', exit: 1 }, { onFail: 'warn' })
    expect(receipt).toMatchObject({ passed: false, blocking: false })
  })
}

function ends(world: () => GateWorld): void {
  test('a check that exceeds its timeout fails', async () => {
    const result = await world().settledWithin(
      HANG_MS,
      runCheck(world(), { output: '', exit: 'hangs' }, { timeoutMs: 200 }),
    )
    expect(result).toMatchObject({ receipt: { passed: false, exitCode: null, timedOut: true } })
  })

  test('a cancelled check ends and does not pass', async () => {
    const cancellation = new AbortController()
    const result = world().gate.check(order(world(), { output: '', exit: 'hangs' }), cancellation.signal)
    expect(await world().settledWithin(100, result)).toBe('not yet')
    cancellation.abort()
    expect(await world().settledWithin(HANG_MS, result)).toMatchObject({
      receipt: { passed: false, exitCode: null, timedOut: false },
    })
  })

  test('a check that is cancelled before it starts does not pass', async () => {
    const result = await world().gate.check(order(world(), { output: '', exit: 0 }), AbortSignal.abort())
    expect(result.receipt).toMatchObject({ passed: false, exitCode: null })
  })
}

function digests(world: () => GateWorld): void {
  test('equal outputs have equal digests, and different outputs have different ones', async () => {
    const digests = []
    for (const output of ['a', 'a', 'b']) {
      digests.push((await runCheck(world(), { output, exit: 0 })).receipt.outputDigest)
    }
    expect(digests[1]).toBe(digests[0])
    expect(digests[2]).not.toBe(digests[0])
  })

  test('the digest of the environment changes with every difference and reveals no value', async () => {
    const digest = async (overrides: Partial<GateOrder>): Promise<string> => {
      const result = await runCheck(world(), { output: '', exit: 0 }, {}, overrides)
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

function runCheck(world: GateWorld, plan: CheckPlan, check: Partial<Check> = {}, overrides: Partial<GateOrder> = {}) {
  return world.gate.check(order(world, plan, check, overrides), new AbortController().signal)
}

function order(
  world: GateWorld,
  plan: CheckPlan,
  check: Partial<Check> = {},
  overrides: Partial<GateOrder> = {},
): GateOrder {
  return {
    check: {
      canary: null,
      name: 'tests',
      run: world.command(plan),
      onFail: 'block',
      timeoutMs: HANG_MS,
      coverage: null,
      ...check,
    },
    folder: world.folder,
    place: 'checkout',
    setup: [],
    commit: COMMIT,
    tree: TREE,
    env: {},
    outputFile: null,
    ...overrides,
  }
}

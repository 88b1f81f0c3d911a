import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sqliteLeases } from '../../src/adapters/stores/lease.ts'
import { prepareState } from '../../src/adapters/stores/open-state.ts'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import type { RequestId } from '../../src/core/model/ids.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import type { Store } from '../../src/ports/store.ts'
import { leasePlace } from './lease-place.ts'
import { everything, kinds, LEDGER } from './store-facts.ts'
import { prepareStoreProcesses, type StoreProcesses } from './store-processes.ts'

let processes: StoreProcesses
let folder: string

beforeAll(() => {
  processes = prepareStoreProcesses()
})
afterAll(() => processes.end())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-store-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the SQLite store, used by several processes', () => {
  test('has every acknowledged event after kill -9 in the middle of appends', async () => {
    let acknowledged = 0
    for (const kills of [1, 40, 333, 700]) {
      const writer = processes.start('append', folder)
      for (let lines = 0; lines < kills; lines += 1) acknowledged = Number(await writer.line())
      await writer.kill()
      for (const line of await writer.rest()) acknowledged = Number(line)
      const seqs = await using(async (store) => (await everything(store.read(LEDGER, 0))).map(({ seq }) => seq))
      expect(seqs).toEqual(Array.from(seqs, (_, index) => index + 1))
      // The last event may have been recorded without its acknowledgement.
      expect([acknowledged, acknowledged + 1]).toContain(seqs.length)
    }
  })

  test('lets exactly one of two writers win each position of a ledger', async () => {
    const places = 300
    await using((store) => store.claim(LEDGER))
    const racers = [processes.start('race', folder, `${places}`), processes.start('race', folder, `${places}`)]
    const won = await Promise.all(racers.map(async (racer) => (await racer.rest()).slice(0, -1).map(Number)))
    expect(won.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: places }, (_, index) => index + 1))
    const recorded = await using((store) => everything(store.read(LEDGER, 0)))
    expect(kinds(recorded)).toEqual(recorded.map(({ seq }) => `${racers[won[0]?.includes(seq) ? 0 : 1]?.pid}`))
  })

  test('is created, opened and written by many processes at the same time, and none is refused', async () => {
    const crowd = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => processes.start('crowd', folder, name))
    for (const member of crowd) expect(await member.rest()).toEqual(['end'])
    await using(async (store) => {
      expect(await everything(store.readAll(0, {}))).toHaveLength(300)
      expect(await store.pendingRequests()).toHaveLength(300)
    })
  })

  test('wakes another process for a request', async () => {
    const watcher = processes.start('watch', folder)
    expect(await watcher.line()).toBe('watching')
    await using((store) => store.addRequest('r1' as RequestId, {}, 1))
    expect(await watcher.rest()).toEqual(['1'])
  })

  test('keeps no process alive by a watch', async () => {
    expect(await processes.start('watch-and-leave', folder).rest()).toEqual(['watching'])
  })
})

describe('the lease', () => {
  const me = { pid: process.pid, startedAt: 7, purpose: 'test' }

  test('is refused while another process holds it, names that process, and is free right after kill -9', async () => {
    const holder = processes.start('lease', folder)
    expect(await holder.line()).toBe('lease')
    expect(await holder.line()).toBe('collected')
    const by = { pid: holder.pid, startedAt: 1, purpose: 'run' }
    expect(await sqliteLeases(leasePlace(folder)).acquire(me)).toEqual({ kind: 'held', by, state: 'here' })
    expect(await sqliteLeases(leasePlace(folder)).holder()).toEqual(by)
    await holder.kill()
    expect(await sqliteLeases(leasePlace(folder)).holder()).toBeNull()
    const lease = await sqliteLeases(leasePlace(folder)).acquire(me)
    expect(lease.kind).toBe('lease')
    expect(await sqliteLeases(leasePlace(folder)).holder()).toEqual(me)
    if (lease.kind === 'lease') await lease.release()
  })

  test('outlives its state folder: a moved or replaced one is refused, naming the holder', async () => {
    const holder = processes.start('lease', folder)
    expect(await holder.line()).toBe('lease')
    expect(await holder.line()).toBe('collected')
    const by = { pid: holder.pid, startedAt: 1, purpose: 'run' }
    const elsewhere = { ...leasePlace(folder), stateFolder: join(folder, 'replaced') }
    expect(await sqliteLeases(elsewhere).acquire(me)).toEqual({ kind: 'held', by, state: 'moved' })
    expect(await sqliteLeases(elsewhere).holder()).toEqual(by)
    const cloned = { ...elsewhere, gitDir: join(folder, 'cloned again') }
    expect(await sqliteLeases(cloned).acquire(me)).toEqual({ kind: 'held', by, state: 'moved' })
    expect(await prepareState(cloned, () => null)).toMatchObject({ code: 'engine-running' })
    await holder.kill()
    expect(await prepareState(cloned, () => null)).toBeNull()
    const lease = await sqliteLeases(elsewhere).acquire(me)
    expect(lease.kind).toBe('lease')
    if (lease.kind === 'lease') await lease.release()
  })

  test('is refused a second time in the same process, and stays with its holder', async () => {
    const leases = sqliteLeases(leasePlace(join(folder, 'created when needed')))
    expect(await leases.holder()).toBeNull()
    const lease = await leases.acquire(me)
    expect(await leases.acquire({ ...me, purpose: 'another' })).toEqual({ kind: 'held', by: me, state: 'here' })
    expect(await leases.holder()).toEqual(me)
    expect(await processes.start('try-lease', join(folder, 'created when needed')).rest()).toEqual(['held'])
    if (lease.kind === 'lease') await lease.release()
    if (lease.kind === 'lease') await lease.release()
    expect(await leases.holder()).toBeNull()
    expect(await processes.start('try-lease', join(folder, 'created when needed')).rest()).toEqual(['lease'])
  })
})

async function using<T>(act: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ folder })
  if (isProblem(store)) throw new Error(store.message)
  try {
    return await act(store)
  } finally {
    await store.close()
  }
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LedgerId } from '../../src/core/model/ids.ts'
import type { Store } from '../../src/ports/store.ts'
import { batch, everything, facts, kinds, LEDGER, numbered, type StoreUnderTest } from './store-facts.ts'
import { answersRequests, keepsAttachments, wakesWatchers } from './store-requests.ts'
import { noticesDamage } from './store-trust.ts'

/** Storage of one state; each `open` stands for another process. */
export interface StateStorage {
  open(): Promise<Store>
  /** Changes the stored text of an event behind the stores' back. */
  spoil(ledger: LedgerId, seq: number, change: (body: string) => string): void
  remove(): Promise<void>
}

/** Conformance suite for stores. */
export function storeConformance(name: string, make: () => Promise<StateStorage>): void {
  describe(`a store: ${name}`, () => {
    const subject = {} as StoreUnderTest
    let storage: StateStorage
    beforeEach(async () => {
      storage = await make()
      Object.assign(subject, { open: storage.open, spoil: storage.spoil, store: await storage.open() })
    })
    afterEach(() => storage.remove())

    describe('keeps ledgers', () => {
      keepsLedgers(subject)
    })
    describe('fences writers', () => {
      fencesWriters(subject)
    })
    describe('reads in chunks', () => {
      readsInChunks(subject)
    })
    describe('notices damage', () => {
      noticesDamage(subject)
    })
    describe('keeps attachments of events', () => {
      keepsAttachments(subject)
    })
    describe('answers requests', () => {
      answersRequests(subject)
    })
    describe('wakes watchers', () => {
      wakesWatchers(subject)
    })
  })
}

function keepsLedgers(subject: StoreUnderTest): void {
  test('numbers events from 1 and returns them in order, with time and ledger', async () => {
    const { epoch, seq } = await subject.store.claim(LEDGER)
    expect({ epoch, seq }).toEqual({ epoch: 1, seq: 0 })
    expect(await subject.store.append(batch({ events: facts('a', 'b'), at: 10 }))).toEqual({ kind: 'appended', seq: 2 })
    expect(await subject.store.append(batch({ events: facts('c'), after: 2, at: 20 }))).toEqual({
      kind: 'appended',
      seq: 3,
    })
    expect(await everything(subject.store.read(LEDGER, 0))).toEqual([
      { seq: 1, position: 1, at: 10, ledger: LEDGER, event: { kind: 'a' } },
      { seq: 2, position: 2, at: 10, ledger: LEDGER, event: { kind: 'b' } },
      { seq: 3, position: 3, at: 20, ledger: LEDGER, event: { kind: 'c' } },
    ])
  })

  test('returns exactly what was appended', async () => {
    const event = { kind: 'odd', text: 'ü 漢 😀 \0 \u2028 "\\', list: [1, 0.1, -1e21, null, true], nested: { a: {} } }
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: [event] }))
    event.nested = { a: { changed: 'later' } }
    const [recorded] = await everything(subject.store.read(LEDGER, 0))
    expect(recorded?.event).toEqual({ ...event, nested: { a: {} } })
  })

  test('reads from any position, and nothing from an unknown ledger', async () => {
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: facts('a', 'b', 'c') }))
    expect(kinds(await everything(subject.store.read(LEDGER, 2)))).toEqual(['c'])
    expect(await everything(subject.store.read(LEDGER, 3))).toEqual([])
    expect(await everything(subject.store.read('run/none' as LedgerId, 0))).toEqual([])
    expect(kinds(await everything(subject.store.read(LEDGER, 0, { without: ['b'] })))).toEqual(['a', 'c'])
    expect(kinds(await everything(subject.store.read(LEDGER, 1, { without: ['b', 'none'] })))).toEqual(['c'])
  })

  test('is complete for a process that opens it later', async () => {
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: facts('a') }))
    await subject.store.close()
    const next = await subject.open()
    expect(kinds(await everything(next.read(LEDGER, 0)))).toEqual(['a'])
    expect(await next.claim(LEDGER)).toEqual({ epoch: 2, seq: 1 })
  })

  test('lists ledgers by prefix, oldest first', async () => {
    for (const ledger of ['run/r2', 'attempt/a', 'run/r1', 'attempt/%']) await subject.store.claim(ledger as LedgerId)
    expect(await subject.store.ledgers('run/')).toEqual(['run/r2', 'run/r1'])
    expect(await subject.store.ledgers('attempt/%')).toEqual(['attempt/%'])
    expect(await subject.store.ledgers('nothing/')).toEqual([])
  })
}

function fencesWriters(subject: StoreUnderTest): void {
  test('refuses a ledger without a claim', async () => {
    expect(await subject.store.append(batch({}))).toEqual({ kind: 'conflict', reason: expect.stringContaining(LEDGER) })
  })

  test('refuses an earlier writer after a claim, even when it knows the last event', async () => {
    const other = await subject.open()
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: facts('a') }))
    expect(await other.claim(LEDGER)).toEqual({ epoch: 2, seq: 1 })
    expect(await subject.store.append(batch({ events: facts('b'), after: 1 }))).toMatchObject({ kind: 'conflict' })
    expect(await other.append(batch({ events: facts('c'), after: 1, epoch: 2 }))).toEqual({
      kind: 'appended',
      seq: 2,
    })
    expect(kinds(await everything(subject.store.read(LEDGER, 0)))).toEqual(['a', 'c'])
  })

  test.each([0, 2])('refuses a writer that assumes position %i instead of 1', async (after) => {
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: facts('a') }))
    expect(await subject.store.append(batch({ events: facts('b'), after }))).toMatchObject({ kind: 'conflict' })
    expect(kinds(await everything(subject.store.read(LEDGER, 0)))).toEqual(['a'])
  })

  test('fences each ledger separately', async () => {
    const other = 'attempt/t1-a1' as LedgerId
    await subject.store.claim(LEDGER)
    await subject.store.claim(other)
    await subject.store.claim(other)
    expect(await subject.store.append(batch({}))).toMatchObject({ kind: 'appended' })
    expect(await subject.store.append(batch({ ledger: other }))).toMatchObject({ kind: 'conflict' })
    expect(await subject.store.append(batch({ ledger: other, epoch: 2 }))).toMatchObject({ kind: 'appended' })
  })
}

function readsInChunks(subject: StoreUnderTest): void {
  test('returns every event once while others are appended', async () => {
    const writer = await subject.open()
    await writer.claim(LEDGER)
    await writer.append(batch({ events: numbered(1, 2500) }))
    const seen: number[] = []
    let last = 2500
    for await (const chunk of subject.store.read(LEDGER, 0)) {
      expect(chunk.length).toBeLessThanOrEqual(1000)
      seen.push(...chunk.map(({ seq }) => seq))
      if (last === 2500) {
        await writer.append(batch({ events: numbered(last + 1, last + 10), after: last }))
        last += 10
      }
    }
    expect(seen).toEqual(numbered(1, 2510).map(({ n }) => n))
  })

  test('returns all ledgers in the order of recording', async () => {
    const other = 'attempt/t1-a1' as LedgerId
    await subject.store.claim(LEDGER)
    await subject.store.claim(other)
    for (let round = 0; round < 3; round += 1) {
      await subject.store.append(batch({ events: facts(`run-${round}`), after: round }))
      await subject.store.append(batch({ ledger: other, events: facts(`attempt-${round}`), after: round }))
    }
    const all = await everything(subject.store.readAll(0, {}))
    expect(kinds(all)).toEqual(['run-0', 'attempt-0', 'run-1', 'attempt-1', 'run-2', 'attempt-2'])
    expect(all.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6])
    expect(kinds(await everything(subject.store.readAll(4, {})))).toEqual(['run-2', 'attempt-2'])
    expect(await everything(subject.store.readAll(0, { ledgers: [other] }))).toEqual(
      await everything(subject.store.read(other, 0)),
    )
    expect(kinds(await everything(subject.store.readAll(3, { ledgers: [LEDGER] })))).toEqual(['run-2'])
    expect(await everything(subject.store.readAll(0, { ledgers: [] }))).toEqual([])
  })

  test('finds the few events of one ledger among many', async () => {
    const other = 'attempt/t1-a1' as LedgerId
    await subject.store.claim(LEDGER)
    await subject.store.claim(other)
    await subject.store.append(batch({ events: numbered(1, 2500) }))
    await subject.store.append(batch({ ledger: other, events: facts('rare') }))
    expect(kinds(await everything(subject.store.readAll(0, { ledgers: [other] })))).toEqual(['rare'])
    expect(await everything(subject.store.readAll(0, { ledgers: [LEDGER] }))).toHaveLength(2500)
  })
}

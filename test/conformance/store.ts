import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LedgerId } from '../../src/core/model/ids.ts'
import type { Store } from '../../src/ports/store.ts'
import { batch, everything, facts, type GivenStore, kinds, LEDGER, numbered } from './store-facts.ts'
import { answersRequests, keepsWhatBelongsToFacts, wakesWatchers } from './store-requests.ts'

/** One place where state is kept; each `open` stands for another process. */
export interface StorePlace {
  open(): Promise<Store>
  remove(): Promise<void>
}

/** What every store promises, whatever keeps it. */
export function storeConformance(name: string, make: () => Promise<StorePlace>): void {
  describe(`a store: ${name}`, () => {
    const given = {} as GivenStore
    let place: StorePlace
    beforeEach(async () => {
      place = await make()
      Object.assign(given, { open: place.open, store: await place.open() })
    })
    afterEach(() => place.remove())

    describe('keeps ledgers', () => {
      keepsLedgers(given)
    })
    describe('fences writers', () => {
      fencesWriters(given)
    })
    describe('reads in chunks', () => {
      readsInChunks(given)
    })
    describe('keeps what belongs to facts', () => {
      keepsWhatBelongsToFacts(given)
    })
    describe('answers requests', () => {
      answersRequests(given)
    })
    describe('wakes watchers', () => {
      wakesWatchers(given)
    })
  })
}

function keepsLedgers(given: GivenStore): void {
  test('numbers facts from 1 and gives them back in order, with their time and ledger', async () => {
    const { epoch, seq } = await given.store.claim(LEDGER)
    expect({ epoch, seq }).toEqual({ epoch: 1, seq: 0 })
    expect(await given.store.append(batch({ events: facts('a', 'b'), at: 10 }))).toEqual({ kind: 'appended', seq: 2 })
    expect(await given.store.append(batch({ events: facts('c'), after: 2, at: 20 }))).toEqual({
      kind: 'appended',
      seq: 3,
    })
    expect(await everything(given.store.read(LEDGER, 0))).toEqual([
      { seq: 1, position: 1, at: 10, ledger: LEDGER, event: { kind: 'a' } },
      { seq: 2, position: 2, at: 10, ledger: LEDGER, event: { kind: 'b' } },
      { seq: 3, position: 3, at: 20, ledger: LEDGER, event: { kind: 'c' } },
    ])
  })

  test('gives back exactly what was appended', async () => {
    const event = { kind: 'odd', text: 'ü 漢 😀 \0 \u2028 "\\', list: [1, 0.1, -1e21, null, true], nested: { a: {} } }
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: [event] }))
    event.nested = { a: { changed: 'later' } }
    const [recorded] = await everything(given.store.read(LEDGER, 0))
    expect(recorded?.event).toEqual({ ...event, nested: { a: {} } })
  })

  test('reads from any place on, and nothing from an unknown ledger', async () => {
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: facts('a', 'b', 'c') }))
    expect(kinds(await everything(given.store.read(LEDGER, 2)))).toEqual(['c'])
    expect(await everything(given.store.read(LEDGER, 3))).toEqual([])
    expect(await everything(given.store.read('run/none' as LedgerId, 0))).toEqual([])
    expect(kinds(await everything(given.store.read(LEDGER, 0, { without: ['b'] })))).toEqual(['a', 'c'])
    expect(kinds(await everything(given.store.read(LEDGER, 1, { without: ['b', 'none'] })))).toEqual(['c'])
  })

  test('is there for who opens it later', async () => {
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: facts('a') }))
    await given.store.close()
    const next = await given.open()
    expect(kinds(await everything(next.read(LEDGER, 0)))).toEqual(['a'])
    expect(await next.claim(LEDGER)).toEqual({ epoch: 2, seq: 1 })
  })

  test('lists ledgers by how their names start, oldest first', async () => {
    for (const ledger of ['run/r2', 'attempt/a', 'run/r1', 'attempt/%']) await given.store.claim(ledger as LedgerId)
    expect(await given.store.ledgers('run/')).toEqual(['run/r2', 'run/r1'])
    expect(await given.store.ledgers('attempt/%')).toEqual(['attempt/%'])
    expect(await given.store.ledgers('nothing/')).toEqual([])
  })
}

function fencesWriters(given: GivenStore): void {
  test('refuses a ledger that nobody has claimed', async () => {
    expect(await given.store.append(batch({}))).toEqual({ kind: 'conflict', reason: expect.stringContaining(LEDGER) })
  })

  test('refuses an earlier writer after a claim, also when it knows the last fact', async () => {
    const other = await given.open()
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: facts('a') }))
    expect(await other.claim(LEDGER)).toEqual({ epoch: 2, seq: 1 })
    expect(await given.store.append(batch({ events: facts('b'), after: 1 }))).toMatchObject({ kind: 'conflict' })
    expect(await other.append(batch({ events: facts('c'), after: 1, epoch: 2 }))).toEqual({
      kind: 'appended',
      seq: 2,
    })
    expect(kinds(await everything(given.store.read(LEDGER, 0)))).toEqual(['a', 'c'])
  })

  test.each([0, 2])('refuses a writer that believes the ledger to stand at %i instead of 1', async (after) => {
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: facts('a') }))
    expect(await given.store.append(batch({ events: facts('b'), after }))).toMatchObject({ kind: 'conflict' })
    expect(kinds(await everything(given.store.read(LEDGER, 0)))).toEqual(['a'])
  })

  test('fences each ledger by itself', async () => {
    const other = 'attempt/t1-a1' as LedgerId
    await given.store.claim(LEDGER)
    await given.store.claim(other)
    await given.store.claim(other)
    expect(await given.store.append(batch({}))).toMatchObject({ kind: 'appended' })
    expect(await given.store.append(batch({ ledger: other }))).toMatchObject({ kind: 'conflict' })
    expect(await given.store.append(batch({ ledger: other, epoch: 2 }))).toMatchObject({ kind: 'appended' })
  })
}

function readsInChunks(given: GivenStore): void {
  test('gives every fact once while others are appended', async () => {
    const writer = await given.open()
    await writer.claim(LEDGER)
    await writer.append(batch({ events: numbered(1, 2500) }))
    const seen: number[] = []
    let last = 2500
    for await (const chunk of given.store.read(LEDGER, 0)) {
      expect(chunk.length).toBeLessThanOrEqual(1000)
      seen.push(...chunk.map(({ seq }) => seq))
      if (last === 2500) {
        await writer.append(batch({ events: numbered(last + 1, last + 10), after: last }))
        last += 10
      }
    }
    expect(seen).toEqual(numbered(1, 2510).map(({ n }) => n))
  })

  test('gives all ledgers in the order of their recording', async () => {
    const other = 'attempt/t1-a1' as LedgerId
    await given.store.claim(LEDGER)
    await given.store.claim(other)
    for (let round = 0; round < 3; round += 1) {
      await given.store.append(batch({ events: facts(`run-${round}`), after: round }))
      await given.store.append(batch({ ledger: other, events: facts(`attempt-${round}`), after: round }))
    }
    const all = await everything(given.store.readAll(0, {}))
    expect(kinds(all)).toEqual(['run-0', 'attempt-0', 'run-1', 'attempt-1', 'run-2', 'attempt-2'])
    expect(all.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6])
    expect(kinds(await everything(given.store.readAll(4, {})))).toEqual(['run-2', 'attempt-2'])
    expect(await everything(given.store.readAll(0, { ledgers: [other] }))).toEqual(
      await everything(given.store.read(other, 0)),
    )
    expect(kinds(await everything(given.store.readAll(3, { ledgers: [LEDGER] })))).toEqual(['run-2'])
    expect(await everything(given.store.readAll(0, { ledgers: [] }))).toEqual([])
  })

  test('finds the few facts of one ledger among many', async () => {
    const other = 'attempt/t1-a1' as LedgerId
    await given.store.claim(LEDGER)
    await given.store.claim(other)
    await given.store.append(batch({ events: numbered(1, 2500) }))
    await given.store.append(batch({ ledger: other, events: facts('rare') }))
    expect(kinds(await everything(given.store.readAll(0, { ledgers: [other] })))).toEqual(['rare'])
    expect(await everything(given.store.readAll(0, { ledgers: [LEDGER] }))).toHaveLength(2500)
  })
}

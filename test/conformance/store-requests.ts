import { expect, test } from 'vitest'
import type { RequestId, RunId, Tree } from '../../src/core/model/ids.ts'
import { PLAIN_RECEIPT, type Receipt } from '../../src/core/model/verdict.ts'
import { batch, everything, facts, type GivenStore, kinds, LEDGER, REQUEST, wakes, whole } from './store-facts.ts'

/** Blobs, summaries, and batches that leave nothing. */
export function keepsWhatBelongsToFacts(given: GivenStore): void {
  test('finds receipts by files, command and environment, the newest first', async () => {
    await given.store.claim(LEDGER)
    const receipt = (more: Partial<Receipt>): Receipt =>
      ({ ...PLAIN_RECEIPT, tree: 't', command: 'npm test', environmentDigest: 'e', passed: true, ...more }) as Receipt
    const receipts = [receipt({ passed: false }), receipt({ command: 'npm run lint' })]
    await given.store.append(batch({ events: facts('a'), receipts, at: 1 }))
    await given.store.append(batch({ events: facts('b'), after: 1, receipts: [receipt({})], at: 2 }))
    expect(await given.store.append(batch({ events: facts('c'), receipts: [receipt({})] }))).toMatchObject({
      kind: 'conflict',
    })
    const other = await given.open()
    expect(await other.receipts(receipt({}))).toEqual([
      { at: 2, receipt: receipt({}) },
      { at: 1, receipt: receipt({ passed: false }) },
    ])
    expect(await other.receipts({ ...receipt({}), environmentDigest: 'other' })).toEqual([])
    expect(await other.receipts(receipt({ tree: 'other' as Tree }))).toEqual([])
  })

  test('keeps blobs by digest, once', async () => {
    const text = 'a long note\0with anything in it 😀\n'.repeat(1000)
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: facts('a'), blobs: new Map([['d1', text]]) }))
    await given.store.append(batch({ events: facts('b'), after: 1, blobs: new Map([['d1', text]]) }))
    expect(await given.store.blob('d1')).toBe(text)
    expect(await given.store.blob('d2')).toBeNull()
  })

  test('keeps one summary row per run, oldest run first', async () => {
    const [first, second] = ['r2' as RunId, 'r1' as RunId]
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: facts('a'), summary: { run: first, row: { done: 0 } } }))
    await given.store.append(batch({ events: facts('b'), after: 1, summary: { run: second, row: { done: 0 } } }))
    await given.store.append(batch({ events: facts('c'), after: 2, summary: { run: first, row: { done: 1 } } }))
    expect(await given.store.runs()).toEqual([
      { run: first, row: { done: 1 } },
      { run: second, row: { done: 0 } },
    ])
  })

  test('leaves nothing of a batch that is refused', async () => {
    const other = await given.open()
    await given.store.claim(LEDGER)
    await other.claim(LEDGER)
    await given.store.addRequest(REQUEST, {}, 1)
    expect(await given.store.append(whole())).toMatchObject({ kind: 'conflict' })
    await expectNothing()
  })

  test('leaves nothing of a batch that breaks in the middle', async () => {
    const loop: { kind: string; self?: unknown } = { kind: 'loop' }
    loop.self = loop
    await given.store.claim(LEDGER)
    await given.store.addRequest(REQUEST, {}, 1)
    await expect(given.store.append({ ...whole(), events: [...facts('a'), loop] })).rejects.toThrow(/circular/)
    await expect(given.store.append({ ...whole(), answers: [{ id: REQUEST, body: loop }] })).rejects.toThrow(/circular/)
    await expectNothing()
    expect(await given.store.append(whole())).toEqual({ kind: 'appended', seq: 1 })
  })

  async function expectNothing(): Promise<void> {
    expect(await everything(given.store.read(LEDGER, 0))).toEqual([])
    expect(await given.store.blob('d1')).toBeNull()
    expect(await given.store.runs()).toEqual([])
    expect(await given.store.pendingRequests()).toHaveLength(1)
    expect(await given.store.requestAnswer(REQUEST)).toBeNull()
  }
}

/** Requests from other processes, asked and answered exactly once. */
export function answersRequests(given: GivenStore): void {
  test('keeps requests, oldest first, until they are answered', async () => {
    const other = await given.open()
    await other.addRequest('r2' as RequestId, { kind: 'stop-engine' }, 5)
    await other.addRequest('r1' as RequestId, ['anything'], 6)
    expect(await given.store.pendingRequests()).toEqual([
      { id: 'r2', body: { kind: 'stop-engine' }, at: 5 },
      { id: 'r1', body: ['anything'], at: 6 },
    ])
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: facts('a'), answers: [{ id: 'r2' as RequestId, body: { ok: true } }] }))
    expect(await given.store.pendingRequests()).toEqual([{ id: 'r1', body: ['anything'], at: 6 }])
    expect(await other.requestAnswer('r2' as RequestId)).toEqual({ ok: true })
    expect(await other.requestAnswer('r1' as RequestId)).toBeNull()
    expect(await other.requestAnswer('r3' as RequestId)).toBeNull()
  })

  test('answers without a fact', async () => {
    await given.store.claim(LEDGER)
    await given.store.addRequest(REQUEST, {}, 1)
    const answers = [{ id: REQUEST, body: { refused: true } }]
    expect(await given.store.append(batch({ events: [], answers }))).toEqual({ kind: 'appended', seq: 0 })
    expect(await given.store.requestAnswer(REQUEST)).toEqual({ refused: true })
    expect(await everything(given.store.read(LEDGER, 0))).toEqual([])
  })

  test('puts a request once, however often it is asked', async () => {
    await given.store.addRequest(REQUEST, { n: 1 }, 1)
    await given.store.addRequest(REQUEST, { n: 2 }, 2)
    expect(await given.store.pendingRequests()).toEqual([{ id: REQUEST, body: { n: 1 }, at: 1 }])
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: [], answers: [{ id: REQUEST, body: 'first' }] }))
    await given.store.addRequest(REQUEST, { n: 3 }, 3)
    expect(await given.store.pendingRequests()).toEqual([])
    expect(await given.store.requestAnswer(REQUEST)).toBe('first')
  })

  test('refuses a batch that answers a request a second time', async () => {
    await given.store.claim(LEDGER)
    await given.store.addRequest(REQUEST, {}, 1)
    await given.store.append(batch({ events: facts('a'), answers: [{ id: REQUEST, body: 'first' }] }))
    const again = batch({ events: facts('b'), after: 1, answers: [{ id: REQUEST, body: 'second' }] })
    expect(await given.store.append(again)).toMatchObject({ kind: 'conflict' })
    expect(await given.store.requestAnswer(REQUEST)).toBe('first')
    expect(kinds(await everything(given.store.read(LEDGER, 0)))).toEqual(['a'])
  })

  test('keeps the answer to a request that was never put', async () => {
    await given.store.claim(LEDGER)
    await given.store.append(batch({ events: [], answers: [{ id: REQUEST, body: 'done' }] }))
    expect(await given.store.requestAnswer(REQUEST)).toBe('done')
    expect(await given.store.pendingRequests()).toEqual([])
  })
}

/** Waking for what others did. */
export function wakesWatchers(given: GivenStore): void {
  test('wakes for a request from another process, and from this one', async () => {
    const other = await given.open()
    await wakes(given.store, () => other.addRequest('r1' as RequestId, {}, 1))
    expect(await given.store.pendingRequests()).toHaveLength(1)
    await wakes(given.store, () => given.store.addRequest('r2' as RequestId, {}, 1))
  })

  test('wakes for facts that another process has appended', async () => {
    const other = await given.open()
    await other.claim(LEDGER)
    await wakes(given.store, () => other.append(batch({ events: facts('a') })))
    expect(kinds(await everything(given.store.read(LEDGER, 0)))).toEqual(['a'])
  })

  test('does not wake any more when told to stop, or closed', async () => {
    const other = await given.open()
    let woken = 0
    given.store.watch(() => (woken += 1))()
    other.watch(() => (woken += 1))
    await other.close()
    await wakes(given.store, () => given.store.addRequest(REQUEST, {}, 1))
    expect(woken).toBe(0)
  })
}

import { expect, test } from 'vitest'
import type { RequestId, RunId, Tree } from '../../src/core/model/ids.ts'
import { PLAIN_RECEIPT, type Receipt } from '../../src/core/model/verdict.ts'
import { batch, everything, facts, kinds, LEDGER, REQUEST, type StoreUnderTest, wakes, whole } from './store-facts.ts'

/** Tests of receipts, blobs and summaries, and of refused batches. */
export function keepsAttachments(subject: StoreUnderTest): void {
  test('finds receipts by tree, command and environment, newest first', async () => {
    await subject.store.claim(LEDGER)
    const receipt = (more: Partial<Receipt>): Receipt =>
      ({ ...PLAIN_RECEIPT, tree: 't', command: 'npm test', environmentDigest: 'e', passed: true, ...more }) as Receipt
    const receipts = [receipt({ passed: false }), receipt({ command: 'npm run lint' })]
    await subject.store.append(batch({ events: facts('a'), receipts, at: 1 }))
    await subject.store.append(batch({ events: facts('b'), after: 1, receipts: [receipt({})], at: 2 }))
    expect(await subject.store.append(batch({ events: facts('c'), receipts: [receipt({})] }))).toMatchObject({
      kind: 'conflict',
    })
    const other = await subject.open()
    expect(await other.receipts(receipt({}))).toEqual([
      { at: 2, receipt: receipt({}) },
      { at: 1, receipt: receipt({ passed: false }) },
    ])
    expect(await other.receipts({ ...receipt({}), environmentDigest: 'other' })).toEqual([])
    expect(await other.receipts(receipt({ tree: 'other' as Tree }))).toEqual([])
  })

  test('keeps blobs by digest, once', async () => {
    const text = 'a long note\0with anything in it 😀\n'.repeat(1000)
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: facts('a'), blobs: new Map([['d1', text]]) }))
    await subject.store.append(batch({ events: facts('b'), after: 1, blobs: new Map([['d1', text]]) }))
    expect(await subject.store.blob('d1')).toBe(text)
    expect(await subject.store.blob('d2')).toBeNull()
    await subject.store.append(batch({ events: facts('c'), after: 2, blobs: new Map([['empty', '']]) }))
    expect(await subject.store.blob('empty')).toBe('')
    expect((await subject.store.verify()).damage).toEqual([])
  })

  test('keeps one summary row per run, oldest run first', async () => {
    const [first, second] = ['r2' as RunId, 'r1' as RunId]
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: facts('a'), summary: { run: first, row: { done: 0 } } }))
    await subject.store.append(batch({ events: facts('b'), after: 1, summary: { run: second, row: { done: 0 } } }))
    await subject.store.append(batch({ events: facts('c'), after: 2, summary: { run: first, row: { done: 1 } } }))
    expect(await subject.store.runs()).toEqual([
      { run: first, row: { done: 1 } },
      { run: second, row: { done: 0 } },
    ])
  })

  test('keeps nothing of a refused batch', async () => {
    const other = await subject.open()
    await subject.store.claim(LEDGER)
    await other.claim(LEDGER)
    await subject.store.addRequest(REQUEST, {}, 1)
    expect(await subject.store.append(whole())).toMatchObject({ kind: 'conflict' })
    await expectNothing(subject)
  })

  test('keeps nothing of a batch that fails in the middle', async () => {
    const loop: { kind: string; self?: unknown } = { kind: 'loop' }
    loop.self = loop
    await subject.store.claim(LEDGER)
    await subject.store.addRequest(REQUEST, {}, 1)
    await expect(subject.store.append({ ...whole(), events: [...facts('a'), loop] })).rejects.toThrow(/circular/)
    const answers = [{ id: REQUEST, body: loop }]
    await expect(subject.store.append({ ...whole(), answers })).rejects.toThrow(/circular/)
    await expectNothing(subject)
    expect(await subject.store.append(whole())).toEqual({ kind: 'appended', seq: 1 })
  })
}

async function expectNothing(subject: StoreUnderTest): Promise<void> {
  expect(await everything(subject.store.read(LEDGER, 0))).toEqual([])
  expect(await subject.store.blob('d1')).toBeNull()
  expect(await subject.store.runs()).toEqual([])
  expect(await subject.store.pendingRequests()).toHaveLength(1)
  expect(await subject.store.requestAnswer(REQUEST)).toBeNull()
}

/** Tests of requests from other processes, each answered exactly once. */
export function answersRequests(subject: StoreUnderTest): void {
  test('keeps requests, oldest first, until they are answered', async () => {
    const other = await subject.open()
    await other.addRequest('r2' as RequestId, { kind: 'stop-engine' }, 5)
    await other.addRequest('r1' as RequestId, ['anything'], 6)
    expect(await subject.store.pendingRequests()).toEqual([
      { id: 'r2', body: { kind: 'stop-engine' }, at: 5 },
      { id: 'r1', body: ['anything'], at: 6 },
    ])
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: facts('a'), answers: [{ id: 'r2' as RequestId, body: { ok: true } }] }))
    expect(await subject.store.pendingRequests()).toEqual([{ id: 'r1', body: ['anything'], at: 6 }])
    expect(await other.requestAnswer('r2' as RequestId)).toEqual({ ok: true })
    expect(await other.requestAnswer('r1' as RequestId)).toBeNull()
    expect(await other.requestAnswer('r3' as RequestId)).toBeNull()
  })

  test('answers without an event', async () => {
    await subject.store.claim(LEDGER)
    await subject.store.addRequest(REQUEST, {}, 1)
    const answers = [{ id: REQUEST, body: { refused: true } }]
    expect(await subject.store.append(batch({ events: [], answers }))).toEqual({ kind: 'appended', seq: 0 })
    expect(await subject.store.requestAnswer(REQUEST)).toEqual({ refused: true })
    expect(await everything(subject.store.read(LEDGER, 0))).toEqual([])
  })

  test('records a request once, however often it is sent', async () => {
    await subject.store.addRequest(REQUEST, { n: 1 }, 1)
    await subject.store.addRequest(REQUEST, { n: 2 }, 2)
    expect(await subject.store.pendingRequests()).toEqual([{ id: REQUEST, body: { n: 1 }, at: 1 }])
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: [], answers: [{ id: REQUEST, body: 'first' }] }))
    await subject.store.addRequest(REQUEST, { n: 3 }, 3)
    expect(await subject.store.pendingRequests()).toEqual([])
    expect(await subject.store.requestAnswer(REQUEST)).toBe('first')
  })

  test('refuses a batch that answers a request a second time', async () => {
    await subject.store.claim(LEDGER)
    await subject.store.addRequest(REQUEST, {}, 1)
    await subject.store.append(batch({ events: facts('a'), answers: [{ id: REQUEST, body: 'first' }] }))
    const again = batch({ events: facts('b'), after: 1, answers: [{ id: REQUEST, body: 'second' }] })
    expect(await subject.store.append(again)).toMatchObject({ kind: 'conflict' })
    expect(await subject.store.requestAnswer(REQUEST)).toBe('first')
    expect(kinds(await everything(subject.store.read(LEDGER, 0)))).toEqual(['a'])
  })

  test('keeps the answer to a request that was never recorded', async () => {
    await subject.store.claim(LEDGER)
    await subject.store.append(batch({ events: [], answers: [{ id: REQUEST, body: 'done' }] }))
    expect(await subject.store.requestAnswer(REQUEST)).toBe('done')
    expect(await subject.store.pendingRequests()).toEqual([])
  })
}

/** Tests of waking watchers. */
export function wakesWatchers(subject: StoreUnderTest): void {
  test('wakes for a request from another process, and from this one', async () => {
    const other = await subject.open()
    await wakes(subject.store, () => other.addRequest('r1' as RequestId, {}, 1))
    expect(await subject.store.pendingRequests()).toHaveLength(1)
    await wakes(subject.store, () => subject.store.addRequest('r2' as RequestId, {}, 1))
  })

  test('wakes for events that another process has appended', async () => {
    const other = await subject.open()
    await other.claim(LEDGER)
    await wakes(subject.store, () => other.append(batch({ events: facts('a') })))
    expect(kinds(await everything(subject.store.read(LEDGER, 0)))).toEqual(['a'])
  })

  test('no longer wakes after stop or close', async () => {
    const other = await subject.open()
    let woken = 0
    subject.store.watch(() => (woken += 1))()
    other.watch(() => (woken += 1))
    await other.close()
    await wakes(subject.store, () => subject.store.addRequest(REQUEST, {}, 1))
    expect(woken).toBe(0)
  })
}

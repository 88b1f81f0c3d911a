import type { LedgerId, RequestId, RunId } from '../../src/core/model/ids.ts'
import type { AppendBatch, RecordedEvent, Store } from '../../src/ports/store.ts'

/** The store of a test, and a way to open others on the same state, as other processes do. */
export interface StoreUnderTest {
  store: Store
  open(): Promise<Store>
  /** Changes the stored text of an event behind the store's back. */
  spoil(ledger: LedgerId, seq: number, change: (body: string) => string): void
}

export const LEDGER = 'run/r1' as LedgerId
export const REQUEST = 'request-1' as RequestId

export function batch(overrides: Partial<AppendBatch>): AppendBatch {
  return { ledger: LEDGER, epoch: 1, after: 0, at: 1_700_000_000_000, events: facts('fact'), ...overrides }
}

/** Creates a batch with an event, a blob, a summary and an answer. */
export function whole(): AppendBatch {
  return batch({
    events: facts('a'),
    blobs: new Map([['d1', 'text']]),
    summary: { run: 'r1' as RunId, row: {} },
    answers: [{ id: REQUEST, body: {} }],
  })
}

export function facts(...names: string[]): { kind: string }[] {
  return names.map((kind) => ({ kind }))
}

export function numbered(from: number, to: number): { kind: string; n: number }[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({ kind: 'numbered', n: from + index }))
}

export function kinds(events: readonly RecordedEvent[]): string[] {
  return events.map(({ event }) => event.kind)
}

export async function everything(chunks: AsyncIterable<readonly RecordedEvent[]>): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = []
  for await (const chunk of chunks) all.push(...chunk)
  return all
}

export async function wakes(store: Store, act: () => Promise<unknown>): Promise<void> {
  let stop = () => {}
  const woken = new Promise<void>((resolve) => {
    stop = store.watch(resolve)
  })
  await act()
  await woken
  stop()
}

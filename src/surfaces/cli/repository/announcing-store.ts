import type { Problem } from '../../../core/model/problem.ts'
import { problemFrom } from '../../../engine/running-effects.ts'
import type { AppendBatch, RecordedEvent, Store } from '../../../ports/store.ts'

/** A recorded event without its position in the store. */
export type AnnouncedEvent = Omit<RecordedEvent, 'position'>

/** Store that announces each event once, in order, after it is durable. */
export interface AnnouncingStore {
  readonly store: Store
  /** Reason the last append failed, or null. */
  trouble(): Problem | null
}

/** Wraps a store to announce every event that this process appends. */
export function announcingStore(store: Store, announce: (event: AnnouncedEvent) => void): AnnouncingStore {
  let trouble: Problem | null = null
  const append = async (batch: AppendBatch) => {
    const result = await store.append(batch).catch((cause: unknown) => {
      trouble = problemFrom(cause, batch.ledger)
      throw cause
    })
    if (result.kind === 'appended') announceAll(batch, result.seq, announce)
    return result
  }
  return { store: { ...store, append }, trouble: () => trouble }
}

function announceAll(
  { ledger, at, events }: AppendBatch,
  lastSeq: number,
  announce: (event: AnnouncedEvent) => void,
): void {
  const firstSeq = lastSeq - events.length + 1
  for (const [index, event] of events.entries()) announce({ seq: firstSeq + index, at, ledger, event })
}

/** Resolves when another process has recorded something. */
export function nextChange(store: Store): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.watch(() => {
      stop()
      resolve()
    })
  })
}

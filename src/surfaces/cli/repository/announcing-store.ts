import type { Problem } from '../../../core/model/problem.ts'
import { problemFrom } from '../../../engine/running-effects.ts'
import type { AppendBatch, RecordedEvent, Store } from '../../../ports/store.ts'

/** A fact that has become durable, without its place among all facts. */
export type AnnouncedEvent = Omit<RecordedEvent, 'position'>

/** A store that tells of every fact once it is durable, in order, each once. */
export interface AnnouncingStore {
  readonly store: Store
  /** Why the last append failed, or null. */
  trouble(): Problem | null
}

/** Listens to what this process appends to any ledger. */
export function announcingStore(store: Store, heard: (event: AnnouncedEvent) => void): AnnouncingStore {
  let trouble: Problem | null = null
  const append = async (batch: AppendBatch) => {
    const result = await store.append(batch).catch((cause: unknown) => {
      trouble = problemFrom(cause, batch.ledger)
      throw cause
    })
    if (result.kind === 'appended') tell(batch, result.seq, heard)
    return result
  }
  return { store: { ...store, append }, trouble: () => trouble }
}

function tell({ ledger, at, events }: AppendBatch, lastSeq: number, heard: (event: AnnouncedEvent) => void): void {
  const firstSeq = lastSeq - events.length + 1
  for (const [index, event] of events.entries()) heard({ seq: firstSeq + index, at, ledger, event })
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

import { createHash } from 'node:crypto'
import type { Store } from '../ports/store.ts'

/** Report of a finished effect, with the long texts that the report names by digest. */
export interface EffectResult<Report> {
  readonly report: Report
  readonly blobs?: ReadonlyMap<string, string>
}

/** Long text and its digest, ready to be appended; an empty text has no digest. */
export interface Blob {
  readonly digest: string | null
  readonly blobs: ReadonlyMap<string, string>
}

export const NO_BLOB: Blob = { digest: null, blobs: new Map() }

/** Names a long text by its digest. */
export function blobOf(text: string): Blob {
  if (text === '') return NO_BLOB
  const digest = createHash('sha256').update(text).digest('hex')
  return { digest, blobs: new Map([[digest, text]]) }
}

/** Reads the texts of some digests; a missing one is empty. */
export async function readBlobs(store: Store, digests: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(digests.map(async (digest) => [digest, (await store.blob(digest)) ?? ''] as const))
  return new Map(texts)
}

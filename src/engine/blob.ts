import { createHash } from 'node:crypto'
import type { Store } from '../ports/store.ts'

/** A long text by its digest, as an append takes it; an empty one is none. */
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

/** The texts that some digests name. */
export async function textsOf(store: Store, digests: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(digests.map(async (digest) => [digest, (await store.blob(digest)) ?? ''] as const))
  return new Map(texts)
}

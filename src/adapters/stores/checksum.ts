import { crc32 } from 'node:zlib'
import type { LedgerId } from '../../core/model/ids.ts'

/** An event exactly as it is stored. */
export interface StoredText {
  readonly ledger: LedgerId
  readonly seq: number
  /** Place among the events of all ledgers. */
  readonly position: number
  readonly at: number
  readonly version: number
  readonly body: string
}

/** Checksum of a ledger without events. */
export const EMPTY_SUM = 0

/** Extends a ledger's checksum by its next event: the CRC-32 of everything in the ledger so far. */
export function nextSum(previous: number, { ledger, seq, position, at, version, body }: StoredText): number {
  return crc32(`${ledger}\n${seq}\n${position}\n${at}\n${version}\n${body}\n`, previous)
}

/** Computes the checksum of a row that belongs to no ledger. */
export function rowSum(...columns: readonly (string | number)[]): number {
  return crc32(JSON.stringify(columns))
}

/** Computes the checksum of a blob and its name. */
export function blobSum(digest: string, bytes: Uint8Array): number {
  // In this order, because zlib forgets the sum so far when it is given no bytes.
  return crc32(digest, crc32(bytes))
}

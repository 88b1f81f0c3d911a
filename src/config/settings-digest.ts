import { createHash } from 'node:crypto'
import type { Settings } from '../core/model/settings.ts'

/** Digest of settings, independent of the order of keys. */
export function settingsDigest(settings: Settings): string {
  return createHash('sha256').update(canonicalJson(settings)).digest('hex')
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isMap(inner) ? sortedByKey(inner) : inner))
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortedByKey(map: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))
}

import { openMemoryStore } from '../../../src/adapters/stores/memory/memory-store.ts'
import type { Checker } from './checker.ts'

/** The state holds exactly what was appended, each append whole and in order, and every fact matches its checksum. */
export const factsWhole: Checker = async ({ world }) => {
  const appended = new Map<string, string[]>()
  for (const { ledger, events } of world.trace.appends) {
    const kinds = appended.get(ledger) ?? []
    for (const { kind } of events) kinds.push(kind)
    appended.set(ledger, kinds)
  }
  const store = openMemoryStore(world.storage.facts)
  const faults = [...(await store.verify()).damage]
  for (const [ledger, rows] of world.storage.facts.ledgers) {
    const stored = rows.map(({ body }) => (JSON.parse(body) as { readonly kind: string }).kind).join(' ')
    if (stored !== (appended.get(ledger) ?? []).join(' ')) faults.push(`${ledger} holds other facts than were appended`)
  }
  return faults
}

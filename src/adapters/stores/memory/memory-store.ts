import { RECEIPTS_MAX } from '../../../core/limits/limits.ts'
import type { LedgerId, RequestId, RunId } from '../../../core/model/ids.ts'
import type { Receipt } from '../../../core/model/verdict.ts'
import type {
  AppendBatch,
  AppendConflict,
  Appended,
  ReceiptKey,
  RecordedEvent,
  Store,
  StoreExamined,
} from '../../../ports/store.ts'
import { EMPTY_SUM, nextSum } from '../checksum.ts'
import { LedgerChain, type LedgerPlace, type StoredRow } from '../ledger-chain.ts'
import { factDamaged } from '../trouble.ts'
import { FACT_VERSION, upcast } from '../upcast.ts'

const CHUNK_EVENTS = 1_000

/** Contents of memory stores; it outlives them, as a disk outlives processes. */
export interface StoreMemory {
  readonly epochs: Map<LedgerId, number>
  // Events are JSON, as on a disk: changing an object later cannot change a recorded fact.
  readonly events: StoredRow[]
  readonly ledgers: Map<LedgerId, StoredRow[]>
  /** Last event of each ledger, as its writer recorded it. */
  readonly ends: Map<LedgerId, LedgerPlace>
  readonly blobs: Map<string, string>
  /** Receipts by key, each as JSON. */
  readonly receipts: Map<string, { readonly at: number; readonly body: string }[]>
  readonly runs: Map<RunId, string>
  readonly requests: Map<RequestId, { readonly body: string; readonly at: number; answer: string | null }>
  readonly watches: Set<Watch>
}

/** Creates an empty memory. */
export function emptyMemory(): StoreMemory {
  return {
    epochs: new Map(),
    events: [],
    ledgers: new Map(),
    ends: new Map(),
    blobs: new Map(),
    receipts: new Map(),
    runs: new Map(),
    requests: new Map(),
    watches: new Set(),
  }
}

/** Opens a store in memory; stores on the same memory behave like processes on the same file. */
export function openMemoryStore(memory: StoreMemory = emptyMemory()): Store {
  const self: Watch['owner'] = {}
  const mine = () => [...memory.watches].filter(({ owner }) => owner === self)
  const others = () => [...memory.watches].filter(({ owner }) => owner !== self)

  return {
    async claim(ledger) {
      const epoch = (memory.epochs.get(ledger) ?? 0) + 1
      memory.epochs.set(ledger, epoch)
      wakeSoon(memory, others())
      return { epoch, seq: endOf(memory, ledger).seq }
    },
    async append(batch) {
      const result = append(memory, batch)
      wakeSoon(memory, others())
      return result
    },
    read: (ledger, after, filter) =>
      withoutKinds(
        inChunks(memory, () => memory.ledgers.get(ledger) ?? [], after, [ledger]),
        new Set(filter?.without),
      ),
    readAll: (after, { ledgers }) =>
      inChunks(memory, () => memory.events, after, after > 0 ? [] : (ledgers ?? [...memory.ends.keys()]), ledgers),
    ledgers: async (prefix) => [...memory.epochs.keys()].filter((name) => name.startsWith(prefix)),
    blob: async (digest) => memory.blobs.get(digest) ?? null,
    receipts: async (key) =>
      (memory.receipts.get(receiptKey(key)) ?? [])
        .slice(-RECEIPTS_MAX)
        .toReversed()
        .map(({ at, body }) => ({ at, receipt: JSON.parse(body) as Receipt })),
    runs: async () => [...memory.runs].map(([run, row]) => ({ run, row: JSON.parse(row) })),
    async addRequest(id, body, at) {
      if (!memory.requests.has(id)) memory.requests.set(id, { body: jsonOf(body), at, answer: null })
      wakeSoon(memory, [...others(), ...mine()])
    },
    pendingRequests: async () =>
      [...memory.requests]
        .filter(([, { answer }]) => answer === null)
        .map(([id, { body, at }]) => ({ id, body: JSON.parse(body), at })),
    requestAnswer: async (id) => JSON.parse(memory.requests.get(id)?.answer ?? 'null'),
    verify: async () => ({ counts: countsOf(memory), damage: damageOf(memory) }),
    watch(wake) {
      const watching = { owner: self, wake, isWoken: false }
      memory.watches.add(watching)
      return () => memory.watches.delete(watching)
    },
    // Memory has no files; a world that takes them away halts the engine itself.
    watchFiles() {},
    async saveCopy() {},
    async close() {
      for (const watching of mine()) memory.watches.delete(watching)
    },
  }
}

interface Watch {
  readonly owner: object
  readonly wake: () => void
  isWoken: boolean
}

function append(memory: StoreMemory, batch: AppendBatch): Appended | AppendConflict {
  const reason = refusalOf(memory, batch)
  if (reason !== null) return { kind: 'conflict', reason }
  // Everything is converted first, so a value without JSON fails before anything is written.
  const { ledger, after, at, summary } = batch
  const bodies = batch.events.map((event) => JSON.stringify(event))
  const receipts = (batch.receipts ?? []).map((one) => ({ key: receiptKey(one), body: JSON.stringify(one) }))
  const row = summary ? jsonOf(summary.row) : ''
  const answers = (batch.answers ?? []).map(({ id, body }) => ({ id, body: jsonOf(body) }))

  const events = memory.ledgers.get(ledger) ?? []
  memory.ledgers.set(ledger, events)
  for (const body of bodies) {
    const { seq, sum } = endOf(memory, ledger)
    const text = { ledger, seq: seq + 1, position: memory.events.length + 1, at, version: FACT_VERSION, body }
    const stored = { ...text, sum: nextSum(sum, text) }
    events.push(stored)
    memory.events.push(stored)
    memory.ends.set(ledger, { seq: stored.seq, sum: stored.sum })
  }
  for (const [digest, text] of batch.blobs ?? []) memory.blobs.set(digest, text)
  for (const { key, body } of receipts) memory.receipts.set(key, [...(memory.receipts.get(key) ?? []), { at, body }])
  if (summary) memory.runs.set(summary.run, row)
  for (const { id, body } of answers) {
    memory.requests.set(id, { body: 'null', at, ...memory.requests.get(id), answer: body })
  }
  return { kind: 'appended', seq: after + bodies.length }
}

function refusalOf(memory: StoreMemory, { ledger, epoch, after, answers = [] }: AppendBatch): string | null {
  const known = memory.epochs.get(ledger)
  const seq = endOf(memory, ledger).seq
  if (known === undefined) return `${ledger} has no writer yet: it must be claimed first.`
  if (known !== epoch) return `${ledger} has a newer writer (number ${known}; this is ${epoch}).`
  if (seq !== after) return `${ledger} stands at ${seq}; this writer knows it up to ${after}.`
  const again = answers.find(({ id }) => typeof memory.requests.get(id)?.answer === 'string')
  return again ? `Request ${again.id} has been answered already.` : null
}

function receiptKey({ tree, command, environmentDigest }: ReceiptKey): string {
  return JSON.stringify([tree, command, environmentDigest])
}

function endOf(memory: StoreMemory, ledger: LedgerId): LedgerPlace {
  return memory.ends.get(ledger) ?? { seq: 0, sum: EMPTY_SUM }
}

// Position n is at index n - 1, so the entries after position n start at index n.
async function* inChunks(
  memory: StoreMemory,
  list: () => readonly StoredRow[],
  after: number,
  ends: readonly LedgerId[],
  only?: readonly LedgerId[],
): AsyncGenerator<readonly RecordedEvent[]> {
  const chains = new Map(ends.map((ledger) => [ledger, new LedgerChain(ledger, placeAt(memory, ledger, after))]))
  const wanted = only && new Set(only)
  for (let start = after; start < list().length; start += CHUNK_EVENTS) {
    const chunk = list().slice(start, start + CHUNK_EVENTS)
    const rows = wanted ? chunk.filter(({ ledger }) => wanted.has(ledger)) : chunk
    for (const row of rows) verifyRow(memory, chains, row)
    if (rows.length > 0) yield rows.map(recorded)
  }
  for (const [ledger, chain] of chains) orThrow(chain.end(endOf(memory, ledger)))
}

function verifyRow(memory: StoreMemory, chains: Map<LedgerId, LedgerChain>, row: StoredRow): void {
  const { ledger, seq } = row
  const chain = chains.get(ledger) ?? new LedgerChain(ledger, placeAt(memory, ledger, seq - 1))
  chains.set(ledger, chain)
  orThrow(chain.next(row))
}

function placeAt(memory: StoreMemory, ledger: LedgerId, seq: number): LedgerPlace {
  const events = memory.ledgers.get(ledger) ?? []
  const known = Math.min(seq, events.length)
  return { seq: known, sum: events[known - 1]?.sum ?? EMPTY_SUM }
}

function damageOf(memory: StoreMemory): readonly string[] {
  return [...memory.ledgers].flatMap(([ledger, rows]) => {
    const chain = new LedgerChain(ledger, { seq: 0, sum: EMPTY_SUM })
    const damages = rows.map((row) => chain.next(row))
    return [...damages, chain.end(endOf(memory, ledger))].filter((damage) => damage !== null)
  })
}

function countsOf({ epochs, events, blobs, receipts, requests, runs }: StoreMemory): StoreExamined['counts'] {
  return {
    ledgers: epochs.size,
    events: events.length,
    blobs: blobs.size,
    receipts: [...receipts.values()].flat().length,
    requests: requests.size,
    runs: runs.size,
  }
}

function orThrow(damage: string | null): void {
  if (damage !== null) throw factDamaged('The memory', damage)
}

function recorded(row: StoredRow): RecordedEvent {
  const { ledger, seq, position, at } = row
  return { seq, position, at, ledger, event: eventOf(row) }
}

const parsedEvents = new WeakMap<StoredRow, RecordedEvent['event']>()

// Parsed once for all readers, and frozen, so that none of them can change what another one reads.
function eventOf(row: StoredRow): RecordedEvent['event'] {
  const known = parsedEvents.get(row)
  if (known !== undefined) return known
  const { ledger, version, body } = row
  const event = upcast({ ledger, version, body: JSON.parse(body) })
  freezeDeep(event)
  parsedEvents.set(row, event)
  return event
}

function freezeDeep(value: object): void {
  Object.freeze(value)
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) freezeDeep(inner)
}

async function* withoutKinds(
  chunks: AsyncIterable<readonly RecordedEvent[]>,
  kinds: ReadonlySet<string>,
): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const chunk of chunks) yield chunk.filter(({ event }) => !kinds.has(event.kind))
}

// Wakes once for any number of changes in the same tick, and never from inside a call.
function wakeSoon(memory: StoreMemory, watches: readonly Watch[]): void {
  for (const watching of watches) {
    if (watching.isWoken) continue
    watching.isWoken = true
    queueMicrotask(() => {
      watching.isWoken = false
      if (memory.watches.has(watching)) watching.wake()
    })
  }
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

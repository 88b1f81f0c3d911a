import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import type { LedgerId, RequestId, RunId } from '../../src/core/model/ids.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import { PLAIN_RECEIPT, type Receipt } from '../../src/core/model/verdict.ts'
import { packageFile } from '../../src/package/package-file.ts'
import type { Store } from '../../src/ports/store.ts'
import { type LedgerLine, ledgerLines } from '../ledgers/fold-ledgers.ts'
import { everything } from './store-facts.ts'

const LEDGERS = packageFile('test/ledgers')
const LINES = readdirSync(LEDGERS)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) =>
    ledgerLines(readFileSync(join(LEDGERS, name), 'utf8').replaceAll('"ledger":"', `"ledger":"${name}/`)),
  )
const RECEIPT = { ...PLAIN_RECEIPT, tree: 't', command: 'npm test', environmentDigest: 'e', passed: true } as Receipt
const FILE_FLIPS = 120

let folder: string
let file: string
let store: Store
let db: DatabaseSyncInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-flips-'))
  file = join(folder, 'state.db')
  store = await open(folder)
  await fill(store, LINES)
  db = new DatabaseSync(file)
  db.exec('PRAGMA synchronous = OFF')
})
afterAll(async () => {
  db.close()
  await store.close()
  await rm(folder, { recursive: true })
})

describe('one flipped bit is noticed when a ledger is folded', () => {
  const firsts = new Map(LINES.toReversed().map((line) => [line.body.kind, line] as const))

  test.each([...firsts.values()].map((line) => [line.body.kind, line] as const))('in %s', async (_, line) => {
    for (const [column, bits] of Object.entries(COLUMNS)) {
      for (const bit of bits) expect({ column, bit, code: await readWith(line, column, bit) }).toMatchObject(NOTICED)
    }
    expect(await codeOf(() => everything(store.read(line.ledger, 0)))).toBe('read')
  })

  test('in the positions of two events of different ledgers, which were swapped', async () => {
    const pair = db.prepare(`SELECT a.position AS first, a.ledger AS one, b.ledger AS other FROM events a
      JOIN events b ON b.position = a.position + 1 WHERE a.ledger <> b.ledger LIMIT 1`)
    const { first, one, other } = pair.get()
    swapPositions(first, first + 1)
    for (const ledger of [one, other]) {
      expect(await codeOf(() => everything(store.read(ledger, 0)))).toBe('state-damaged')
    }
    expect((await store.verify()).damage.length).toBeGreaterThan(0)
    swapPositions(first, first + 1)
    expect(await codeOf(() => everything(store.readAll(0, {})))).toBe('read')
  })

  test('in the last event of a ledger, and in the recorded end', async () => {
    const last = LINES.findLast(({ ledger }) => ledger === LINES[0]?.ledger) as LedgerLine
    expect(await readWith(last, 'ledger', 1)).toBe('state-damaged')
    for (const column of ['seq', 'sum']) {
      const where = [`UPDATE ledgers SET ${column} = ${column} + ? WHERE name = ?`, last.ledger] as const
      db.prepare(where[0]).run(1, where[1])
      expect(await codeOf(() => everything(store.read(last.ledger, 0)))).toBe('state-damaged')
      db.prepare(where[0]).run(-1, where[1])
    }
  })
})

describe('one flipped bit elsewhere', () => {
  test.each(['tree', 'command', 'environment', 'body'])('in %s of a receipt: it is not used', async (column) => {
    flipText('receipts', column)
    expect(await store.receipts(RECEIPT)).toEqual([])
    expect((await store.verify()).damage).toHaveLength(1)
    flipText('receipts', column)
    expect(await store.receipts(RECEIPT)).toEqual([{ at: 1, receipt: RECEIPT }])
  })

  test.each([
    ['blobs', 'body', () => store.blob('d1')],
    ['runs', 'body', () => store.runs()],
    ['runs', 'run', () => store.runs()],
    ['requests', 'body', () => store.pendingRequests()],
  ])('in %s.%s: it is refused and listed', async (table, column, read) => {
    flipText(table, column)
    expect(await codeOf(read)).toBe('state-damaged')
    expect((await store.verify()).damage).toHaveLength(1)
    flipText(table, column)
    expect(await codeOf(read)).toBe('read')
    expect((await store.verify()).damage).toEqual([])
  })
})

test('a bit flipped anywhere in the file is noticed, or changes nothing that is read', async () => {
  const origin = await makeFolder('origin')
  const whole = await open(origin)
  await fill(whole, LINES.slice(0, 60))
  const right = await contentOf(whole)
  await whole.close()
  const bytes = readFileSync(join(origin, 'state.db'))
  for (let flip = 0; flip < FILE_FLIPS; flip += 1) {
    const bit = (flip * 7_919_999) % (bytes.length * 8)
    const content = await contentWith(bytes, bit, `flip-${flip}`)
    expect({ bit, content }).toEqual({ bit, content: content === 'noticed' ? content : right })
  }
})

const NOTICED = { code: 'state-damaged' }

/** Bits to flip in each column of an event. */
const COLUMNS: Readonly<Record<string, readonly number[]>> = {
  ledger: [1],
  seq: [12],
  position: [20],
  at: [0, 40],
  version: [0, 3],
  sum: [0, 31],
  body: [0, 77, 8 * 21 + 5],
}

/** Reads a ledger with one bit of an event flipped, and flips it back; returns the problem's code, or `read`. */
async function readWith({ ledger, seq }: LedgerLine, column: string, bit: number): Promise<string> {
  const row = db.prepare('SELECT * FROM events WHERE ledger = ? AND seq = ?').get(ledger, seq)
  const put = db.prepare(`UPDATE events SET ${column} = ? WHERE position = ?`)
  const old = row[column]
  const flipped = typeof old === 'number' ? flippedNumber(old, bit) : flippedText(old, bit)
  put.run(flipped, row.position)
  const code = await codeOf(() => everything(store.read(ledger, 0)))
  put.run(old, column === 'position' ? flipped : row.position)
  return code
}

function flippedNumber(value: number, bit: number): number {
  return Number(BigInt(value) ^ (1n << BigInt(bit)))
}

function flippedText(text: string, bit: number): string {
  const bytes = Buffer.from(text)
  const at = Math.floor(bit / 8) % bytes.length
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8))
  return bytes.toString('latin1')
}

function swapPositions(one: number, other: number): void {
  const move = db.prepare('UPDATE events SET position = ? WHERE position = ?')
  for (const [to, from] of [
    [-1, one],
    [one, other],
    [other, -1],
  ]) {
    move.run(to, from)
  }
}

function flipText(table: string, column: string): void {
  const [row] = db.prepare(`SELECT rowid AS place, ${column} AS value FROM ${table} LIMIT 1`).all()
  const value = typeof row.value === 'string' ? Buffer.from(row.value) : Buffer.from(row.value as Uint8Array)
  value[0] = (value[0] ?? 0) ^ 1
  const put = typeof row.value === 'string' ? value.toString() : value
  db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(put, row.place)
}

async function codeOf(read: () => Promise<unknown>): Promise<string> {
  try {
    await read()
    return 'read'
  } catch (error) {
    const { problems } = error as { problems?: readonly { code: string }[] }
    return problems?.[0]?.code ?? String(error)
  }
}

async function contentWith(bytes: Buffer, bit: number, name: string): Promise<unknown> {
  const where = await makeFolder(name)
  const flipped = Buffer.from(bytes)
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  writeFileSync(join(where, 'state.db'), flipped)
  const opened = await openSqliteStore({ folder: where })
  if (isProblem(opened)) return 'noticed'
  try {
    return (await opened.verify()).damage.length > 0 ? 'noticed' : await contentOf(opened)
  } finally {
    await opened.close()
    await rm(where, { recursive: true })
  }
}

async function contentOf(of: Store): Promise<unknown> {
  return {
    events: await everything(of.readAll(0, {})),
    blob: await of.blob('d1'),
    runs: await of.runs(),
    requests: await of.pendingRequests(),
    receipts: await of.receipts(RECEIPT),
  }
}

async function makeFolder(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  return path
}

async function open(where: string): Promise<Store> {
  const opened = await openSqliteStore({ folder: where })
  if (isProblem(opened)) throw new Error(opened.message)
  return opened
}

async function fill(into: Store, lines: readonly LedgerLine[]): Promise<void> {
  for (const ledger of new Set(lines.map((line) => line.ledger))) {
    const own = lines.filter((line) => line.ledger === ledger)
    const { epoch } = await into.claim(ledger)
    await into.append({ ledger, epoch, after: 0, at: own[0]?.at ?? 0, events: own.map(({ body }) => body) })
  }
  const ledger = 'run/more' as LedgerId
  const { epoch } = await into.claim(ledger)
  const summary = { run: 'r1' as RunId, row: { endedAt: null } }
  const blobs = new Map([['d1', 'a long text']])
  await into.append({ ledger, epoch, after: 0, at: 1, events: [{ kind: 'a' }], blobs, receipts: [RECEIPT], summary })
  await into.addRequest('request-1' as RequestId, { kind: 'pause' }, 1)
}

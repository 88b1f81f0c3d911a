import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFile,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, type TestContext, test } from 'vitest'
import { sqliteLeases } from '../../src/adapters/stores/lease.ts'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import type { RunId } from '../../src/core/model/ids.ts'
import { isProblem, type Problem, ProblemError } from '../../src/core/model/problem.ts'
import type { Store } from '../../src/ports/store.ts'
import { leasePlace } from './lease-place.ts'
import { batch, everything, facts, LEDGER, numbered } from './store-facts.ts'

const MOUNT = 'mount'
const UNMOUNT = 'umount'

let temp: string
let folder: string
let file: string
const mounts: string[] = []

beforeEach(async () => {
  temp = await mkdtemp(join(tmpdir(), 'longhaul-store-'))
  folder = join(temp, 'state')
  file = join(folder, 'state.db')
  await mkdir(folder)
})
afterEach(async () => {
  for (const mount of mounts.splice(0)) execFileSync(UNMOUNT, ['-l', mount])
  await rm(temp, { recursive: true })
})

describe('an unusable state file is left untouched, and the problem names the file and a backup path', () => {
  test('text instead of a database', async () => {
    await writeFile(file, 'dear diary\n'.repeat(1000))
    expect(await openUnusable()).toEqual(refusal('state-damaged'))
  })

  test.each([
    ['its first page', 100],
    ['its second page', 4096],
    ['a page in the middle', 200_000],
  ])('%s overwritten', async (_what, offset) => {
    await makeState(5_000)
    await overwrite(offset, 2_000)
    expect(await openUnusable()).toEqual(refusal('state-damaged'))
  })

  test('half of it cut off', async () => {
    await makeState(5_000)
    await truncate(file, (await readFile(file)).length / 2)
    expect(await openUnusable()).toEqual(refusal('state-damaged'))
  })

  test('written by a newer version', async () => {
    await makeState(5_000)
    change('PRAGMA user_version = 99')
    expect(await openUnusable()).toEqual(refusal('state-newer'))
  })

  test('written by a newer version that was killed before it closed the file', async () => {
    const elsewhere = join(temp, 'elsewhere')
    await makeState(5_000)
    const db = new DatabaseSync(file)
    db.exec('PRAGMA user_version = 99')
    await mkdir(elsewhere)
    for (const name of ['state.db', 'state.db-wal']) await copyFile(join(folder, name), join(elsewhere, name))
    db.close()
    await rm(folder, { recursive: true })
    await rename(elsewhere, folder)
    expect(await openUnusable()).toEqual(refusal('state-newer'))
  })

  test.each([
    ['its own mark', 'PRAGMA application_id = 7'],
    ['tables only', 'CREATE TABLE notes (text)'],
  ])('a database of another program, with %s', async (_what, sql) => {
    change(sql)
    expect(await openUnusable()).toEqual(refusal('state-foreign'))
  })

  test('a folder of that name', async () => {
    await mkdir(file)
    expect(await openSqliteStore({ folder })).toMatchObject({ code: 'state-unwritable' })
  })

  test('damage in a large file that shows only when an event is read', async () => {
    await makeState(60_000, 'x'.repeat(300))
    await overwrite(10_000_000, 2_000_000)
    const before = digestOf(await readFile(file))
    const store = await open()
    const trouble = await everything(store.read(LEDGER, 0)).catch((error: unknown) => error)
    expect(trouble).toBeInstanceOf(ProblemError)
    expect((trouble as ProblemError).problems[0]).toMatchObject({ code: 'state-damaged' })
    await store.close()
    expect(digestOf(await readFile(file))).toBe(before)
  })
})

describe('a folder that cannot be used', () => {
  test('is a file', async () => {
    const path = join(temp, 'file')
    await writeFile(path, '')
    expect(await openSqliteStore({ folder: path })).toMatchObject({ code: 'state-unwritable' })
    expect(await openSqliteStore({ folder: join(path, 'below') })).toMatchObject({ code: 'state-unwritable' })
    expect(await sqliteLeases(leasePlace(path)).acquire(ME)).toMatchObject({ code: 'state-unwritable' })
  })

  test('is on a disk mounted read-only', async (context) => {
    await makeState(5_000)
    const held = await sqliteLeases(leasePlace(folder)).acquire(ME)
    if (held.kind === 'lease') await held.release()
    const before = await contents(folder)
    mount(context, ['--bind', folder, folder])
    mount(context, ['-o', 'remount,bind,ro', folder, folder])
    mounts.pop()
    expect(await openSqliteStore({ folder })).toMatchObject({ code: 'disk-read-only' })
    expect(await openSqliteStore({ folder: join(folder, 'new') })).toMatchObject({ code: 'state-unwritable' })
    expect(await sqliteLeases(leasePlace(folder)).acquire(ME)).toMatchObject({ code: 'disk-read-only' })
    expect(await contents(folder)).toEqual(before)
  })

  test('is on a full disk: recorded events stay, and appending works again when there is space', async (context) => {
    mount(context, ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
    const store = await open()
    await store.claim(LEDGER)
    await store.append(batch({ events: facts('a') }))
    const filler = join(folder, 'filler')
    await writeFile(filler, Buffer.alloc(2_000_000)).catch(() => {})
    const trouble = await store.append(batch({ events: numbered(2, 9000), after: 1 })).catch((error: unknown) => error)
    expect((trouble as ProblemError).problems[0]).toMatchObject({ code: 'disk-full', retry: 'later' })
    expect(await everything(store.read(LEDGER, 0))).toHaveLength(1)
    expect(await openSqliteStore({ folder: join(folder, 'new') })).toMatchObject({ code: 'disk-full' })
    await rm(filler)
    expect(await store.append(batch({ events: facts('b'), after: 1 }))).toEqual({ kind: 'appended', seq: 2 })
    await store.close()
  })
})

describe('the SQLite store', () => {
  test('finishes the creation of its file after an interruption', async () => {
    await writeFile(file, '')
    change('PRAGMA journal_mode = WAL')
    const store = await open()
    expect(await store.claim(LEDGER)).toEqual({ epoch: 1, seq: 0 })
    await store.close()
  })

  test('rolls back the whole batch when writing fails in the middle', async () => {
    const store = await open()
    await store.claim(LEDGER)
    const broken = batch({ events: facts('a'), summary: { run: Symbol('run') as unknown as RunId, row: {} } })
    await expect(store.append(broken)).rejects.toThrow(TypeError)
    expect(await everything(store.read(LEDGER, 0))).toEqual([])
    expect(await store.append(batch({ events: facts('b') }))).toEqual({ kind: 'appended', seq: 1 })
    await store.close()
    await store.close()
  })

  test('waits for a program that keeps the file locked', async () => {
    const store = await open()
    await store.claim(LEDGER)
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const appending = store.append(batch({ events: facts('a') }))
    other.exec('COMMIT')
    expect(await appending).toEqual({ kind: 'appended', seq: 1 })
    other.close()
    await store.close()
  })

  test('has everything in its one file when the last writer has closed it', async () => {
    const store = await open()
    await store.claim(LEDGER)
    await store.append(batch({ events: facts('a') }))
    await store.close()
    const elsewhere = join(temp, 'elsewhere')
    await mkdir(elsewhere)
    await copyFile(file, join(elsewhere, 'state.db'))
    const copy = await open(elsewhere)
    expect(await everything(copy.read(LEDGER, 0))).toHaveLength(1)
    await copy.close()
  })
})

const ME = { pid: process.pid, startedAt: 1, purpose: 'test' }

async function open(where = folder): Promise<Store> {
  const store = await openSqliteStore({ folder: where })
  if (isProblem(store)) throw new Error(store.message)
  return store
}

/** Creates a state file that no process has open. */
async function makeState(events: number, text = ''): Promise<void> {
  const origin = join(temp, 'origin')
  const store = await open(origin)
  await store.claim(LEDGER)
  await store.append(batch({ events: numbered(1, events).map((event) => ({ ...event, text })) }))
  await store.close()
  await copyFile(join(origin, 'state.db'), file)
}

async function overwrite(offset: number, length: number): Promise<void> {
  const handle = await openFile(file, 'r+')
  await handle.write(Buffer.alloc(length, 0xa5), 0, length, offset)
  await handle.close()
}

function change(sql: string): void {
  const db: DatabaseSyncInstance = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

/** Opens an unusable state file; returns the problem and whether the folder changed. */
async function openUnusable() {
  const before = await contents(folder)
  const { kind, code, retry, message, hint } = (await openSqliteStore({ folder })) as Problem
  const namesFile = message.includes(`${file} `) && message.includes('left untouched')
  const isUntouched = isDeepStrictEqual(await contents(folder), before)
  return { kind, code, retry, namesFile, namesBackup: hint.includes(`${file}.backup-`), isUntouched }
}

function refusal(code: string) {
  return { kind: 'problem', code, retry: 'never', namesFile: true, namesBackup: true, isUntouched: true }
}

/** Names and digests of a folder's files; the -shm file is SQLite's scratch. */
async function contents(of: string): Promise<Record<string, string>> {
  const names = (await readdir(of)).filter((name) => !name.endsWith('-shm')).toSorted()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, digestOf(await readFile(join(of, name)))] as const)),
  )
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function mount(context: TestContext, args: readonly string[]): void {
  const { status } = spawnSync(MOUNT, args)
  if (status !== 0) context.skip('this user may not mount')
  mounts.push(folder)
}

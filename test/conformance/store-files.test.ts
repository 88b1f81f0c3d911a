import { execFileSync, spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, type TestContext, test } from 'vitest'
import type { RunId } from '../../src/core/model/ids.ts'
import { isProblem, type Problem } from '../../src/core/model/problem.ts'
import { type Store, StoreTrouble } from '../../src/ports/store.ts'
import { sqliteLeases } from '../../src/stores/lease.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-sqlite-store.ts'
import { batch, everything, facts, LEDGER, numbered } from './store-facts.ts'

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
  for (const mount of mounts.splice(0)) execFileSync('umount', [mount])
  await rm(temp, { recursive: true })
})

describe('a state file that cannot be used is left as it is, and the problem names it and a place for a backup', () => {
  test('text instead of a database', async () => {
    await writeFile(file, 'dear diary\n'.repeat(1000))
    await expectRefusal('state-damaged')
  })

  test.each([
    ['its first page', 100],
    ['its second page', 4096],
    ['its last page', -4096],
  ])('%s overwritten', async (_what, offset) => {
    await makeState()
    const bytes = await readFile(file)
    bytes.fill(0xa5, offset < 0 ? bytes.length + offset : offset, offset < 0 ? bytes.length : offset + 2000)
    await writeFile(file, bytes)
    await expectRefusal('state-damaged')
  })

  test('half of it cut off', async () => {
    await makeState()
    await truncate(file, (await readFile(file)).length / 2)
    await expectRefusal('state-damaged')
  })

  test('written by a newer version', async () => {
    await makeState()
    change('PRAGMA user_version = 99')
    await expectRefusal('state-newer')
  })

  test('written by a newer version that was killed before it tidied up', async () => {
    const elsewhere = join(temp, 'elsewhere')
    await makeState()
    const db = new DatabaseSync(file)
    db.exec('PRAGMA user_version = 99')
    await mkdir(elsewhere)
    for (const name of ['state.db', 'state.db-wal']) await copyFile(join(folder, name), join(elsewhere, name))
    db.close()
    await rm(folder, { recursive: true })
    await rename(elsewhere, folder)
    await expectRefusal('state-newer', ['state.db', 'state.db-wal'])
  })

  test.each([
    ['its own mark', 'PRAGMA application_id = 7'],
    ['tables only', 'CREATE TABLE notes (text)'],
  ])('a database of another program, with %s', async (_what, sql) => {
    change(sql)
    await expectRefusal('state-foreign')
  })

  test('a folder of that name', async () => {
    await mkdir(file)
    expect(await openSqliteStore({ folder })).toMatchObject({ code: 'state-unwritable' })
  })

  test('damage that shows only when a fact is read', async () => {
    await makeState()
    const bytes = await readFile(file)
    bytes.fill(0xa5, bytes.length / 2, bytes.length / 2 + 40_000)
    await writeFile(file, bytes)
    const store = await open()
    const trouble = await everything(store.read(LEDGER, 0)).catch((error: unknown) => error)
    expect(trouble).toBeInstanceOf(StoreTrouble)
    expect((trouble as StoreTrouble).problem).toMatchObject({ code: 'state-damaged' })
    await store.close()
    expect(await readFile(file)).toEqual(bytes)
  })
})

describe('a folder that cannot be used', () => {
  test('is a file', async () => {
    const path = join(temp, 'file')
    await writeFile(path, '')
    expect(await openSqliteStore({ folder: path })).toMatchObject({ code: 'state-unwritable' })
    expect(await openSqliteStore({ folder: join(path, 'below') })).toMatchObject({ code: 'state-unwritable' })
    expect(await sqliteLeases(path).acquire(ME)).toMatchObject({ code: 'state-unwritable' })
  })

  test('is on a disk mounted read-only', async (context) => {
    await makeState()
    const held = await sqliteLeases(folder).acquire(ME)
    if (held.kind === 'lease') await held.release()
    const before = await contents(folder)
    mount(context, ['--bind', folder, folder])
    mount(context, ['-o', 'remount,bind,ro', folder, folder])
    mounts.pop()
    expect(await openSqliteStore({ folder })).toMatchObject({ code: 'state-unwritable' })
    expect(await openSqliteStore({ folder: join(folder, 'new') })).toMatchObject({ code: 'state-unwritable' })
    expect(await sqliteLeases(folder).acquire(ME)).toMatchObject({ code: 'state-unwritable' })
    expect(await contents(folder)).toEqual(before)
  })

  test('is on a full disk: what was recorded stays, and it goes on when there is space', async (context) => {
    mount(context, ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
    const store = await open()
    await store.claim(LEDGER)
    await store.append(batch({ events: facts('a') }))
    const filler = join(folder, 'filler')
    await writeFile(filler, Buffer.alloc(2_000_000)).catch(() => {})
    const trouble = await store.append(batch({ events: numbered(2, 9000), after: 1 })).catch((error: unknown) => error)
    expect((trouble as StoreTrouble).problem).toMatchObject({ code: 'disk-full', retry: 'later' })
    expect(await everything(store.read(LEDGER, 0))).toHaveLength(1)
    expect(await openSqliteStore({ folder: join(folder, 'new') })).toMatchObject({ code: 'disk-full' })
    await rm(filler)
    expect(await store.append(batch({ events: facts('b'), after: 1 }))).toEqual({ kind: 'appended', seq: 2 })
    await store.close()
  })
})

describe('the SQLite store', () => {
  test('goes on where the making of its file was interrupted', async () => {
    await writeFile(file, '')
    await (await open()).close()
    await rm(file)
    change('PRAGMA journal_mode = WAL')
    await (await open()).close()
  })

  test('takes back everything when writing breaks in the middle', async () => {
    const store = await open()
    await store.claim(LEDGER)
    const broken = batch({ events: facts('a'), summary: { run: Symbol('run') as unknown as RunId, row: {} } })
    await expect(store.append(broken)).rejects.toThrow(TypeError)
    expect(await everything(store.read(LEDGER, 0))).toEqual([])
    expect(await store.append(batch({ events: facts('b') }))).toEqual({ kind: 'appended', seq: 1 })
    await store.close()
    await store.close()
  })
})

const ME = { pid: process.pid, startedAt: 1, purpose: 'test' }

async function open(): Promise<Store> {
  const store = await openSqliteStore({ folder })
  if (isProblem(store)) throw new Error(store.message)
  return store
}

async function makeState(): Promise<void> {
  const store = await open()
  await store.claim(LEDGER)
  await store.append(batch({ events: numbered(1, 5000) }))
  await store.close()
  await rm(join(folder, 'wake'), { force: true })
}

function change(sql: string): void {
  const db: DatabaseSyncInstance = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

async function expectRefusal(code: string, files = ['state.db']): Promise<void> {
  const before = await contents(folder)
  const refusal = (await openSqliteStore({ folder })) as Problem
  expect(refusal).toMatchObject({ kind: 'problem', code, retry: 'never' })
  expect(refusal.message).toContain(`${file} `)
  expect(refusal.message).toContain('left untouched')
  expect(refusal.hint).toContain(`${file}.backup-`)
  for (const name of files) expect(await readFile(join(folder, name))).toEqual(before.get(name))
  expect([...(await contents(folder)).keys()].filter((name) => !name.endsWith('-shm'))).toEqual([...before.keys()])
}

async function contents(of: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(of)).toSorted()
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(of, name))] as const)))
}

function mount(context: TestContext, args: readonly string[]): void {
  const { status } = spawnSync('mount', args)
  if (status !== 0) context.skip('this user may not mount')
  mounts.push(folder)
}

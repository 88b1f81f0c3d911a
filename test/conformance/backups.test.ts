import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sqliteBackups } from '../../src/adapters/stores/sqlite/backups/backups.ts'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import type { LedgerId, RequestId, RunId } from '../../src/core/model/ids.ts'
import { isProblem, type Problem, unwrap } from '../../src/core/model/problem.ts'
import type { Store } from '../../src/ports/store.ts'
import { prepareStoreProcesses } from './store-processes.ts'

const LEDGER = 'run/r1' as LedgerId
const MOUNT = 'mount'
const UNMOUNT = 'umount'
const NEVER = new AbortController().signal
const processes = prepareStoreProcesses()
afterAll(() => processes.end())

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "longhaul backup's "))
  file = join(folder, 'copies', 'one.db')
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

test('what is restored is what was backed up, from a state that is being written', async () => {
  const store = await filledStore('state')
  const writing = appendAll(store, 2, 50)
  const written = unwrap(await sqliteBackups(join(folder, 'state')).write(file, NEVER))
  await writing
  expect(written.counts).toMatchObject({ blobs: 1, requests: 1, runs: 1, ledgers: 1 })
  expect(readdirSync(join(folder, 'copies'))).toEqual(['one.db'])

  const other = await openStore('other')
  const backup = unwrap(await sqliteBackups(join(folder, 'other')).read(file))
  const original = await contentOf(backup.store)
  await backup.store.close()
  expect(await backup.restore()).toBe(null)
  expect(await contentOf(other)).toEqual(original)
  expect(await other.verify()).toEqual({ counts: backup.counts, damage: [] })
  expect(await other.claim(LEDGER)).toMatchObject({ epoch: 2 })
  expect(await backup.restore()).toMatchObject({ code: 'state-not-empty' })
  expect(readdirSync(join(folder, 'copies'))).toEqual(['one.db'])
})

test('a backup overwrites nothing, is not put into the state, and leaves nothing when it is called off', async () => {
  await filledStore('state')
  const backups = sqliteBackups(join(folder, 'state'))
  mkdirSync(join(folder, 'copies'))
  writeFileSync(file, 'mine')
  expect(await backups.write(file, NEVER)).toMatchObject({ code: 'backup-exists' })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  for (const inside of ['state/x.db', 'state/deep/x.db', 'copies/../state/x.db']) {
    expect(await backups.write(join(folder, inside), NEVER)).toMatchObject({ code: 'backup-inside-state' })
  }
  const free = join(folder, 'copies', 'two.db')
  expect(await backups.write(free, AbortSignal.abort())).toMatchObject({ code: 'backup-unwritable' })
  expect(await backups.write('/dev/null/x.db', NEVER)).toMatchObject({ code: 'backup-unwritable' })
  expect(readdirSync(join(folder, 'copies'))).toEqual(['one.db'])
})

test('a damaged state is not backed up, and the problem names the fact', async () => {
  const store = await filledStore('state')
  await store.close()
  change(join(folder, 'state', 'state.db'), "UPDATE events SET body = replace(body, 'first', 'fisst')")
  expect(await sqliteBackups(join(folder, 'state')).write(file, NEVER)).toMatchObject({
    code: 'state-damaged',
    message: expect.stringContaining('event 1 of run/r1 ("fisst") does not match its checksum'),
  })
  expect(readdirSync(join(folder, 'copies'))).toEqual([])
})

test('a full disk leaves nothing', async (context) => {
  await filledStore('state')
  const disk = join(folder, 'copies')
  mkdirSync(disk)
  if (spawnSync(MOUNT, ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', disk]).status !== 0) {
    context.skip('this user may not mount')
  }
  onTestFinished(() => void spawnSync(UNMOUNT, ['-l', disk]))
  expect(await sqliteBackups(join(folder, 'state')).write(file, NEVER)).toMatchObject({
    code: 'backup-unwritable',
    message: expect.stringContaining('disk is full'),
  })
  expect(readdirSync(disk)).toEqual([])
})

test('a backup that is killed midway has no file under its name', async () => {
  const store = await filledStore('state')
  await appendAll(store, 2, 20, 'x'.repeat(1_000_000))
  mkdirSync(join(folder, 'copies'))
  const hasBegun = new Promise<void>((resolve) => {
    const watcher = watch(join(folder, 'copies'), () => resolve())
    onTestFinished(() => watcher.close())
  })
  const backup = processes.start('backup', join(folder, 'state'), file)
  await hasBegun
  await backup.kill()
  expect(existsSync(file)).toBe(false)
  expect(await sqliteBackups(join(folder, 'state')).write(file, NEVER)).toMatchObject({ counts: { events: 20 } })
})

test.each<[string, string, (path: string) => void]>([
  ['one bit is flipped', 'backup-damaged', (path) => change(path, 'UPDATE runs SET body = \'{"endedAt":nulm}\'')],
  ['the second half is missing', 'backup-damaged', (path) => truncateSync(path, 20_000)],
  ['only its first bytes are left', 'backup-damaged', (path) => truncateSync(path, 50)],
  ['its pages are overwritten', 'backup-damaged', (path) => overwrite(path)],
  ['a newer version wrote it', 'backup-newer', (path) => change(path, 'PRAGMA user_version = 9')],
  ['it is of another program', 'not-a-backup', (path) => change(path, 'PRAGMA application_id = 7')],
])('a backup is refused when %s', async (_, code, damage) => {
  await filledStore('state')
  const backups = sqliteBackups(join(folder, 'state'))
  unwrap(await backups.write(file, NEVER))
  damage(file)
  const before = readFileSync(file)
  expect((await backups.read(file)) as Problem).toMatchObject({ kind: 'problem', code })
  expect(readFileSync(file)).toEqual(before)
  expect(readdirSync(join(folder, 'copies'))).toEqual(['one.db'])
})

async function openStore(name: string): Promise<Store> {
  const store = await openSqliteStore({ folder: join(folder, name) })
  if (isProblem(store)) throw new Error(store.message)
  onTestFinished(() => store.close())
  return store
}

async function filledStore(name: string): Promise<Store> {
  const store = await openStore(name)
  const { epoch } = await store.claim(LEDGER)
  const summary = { run: 'r1' as RunId, row: { endedAt: null } }
  const blobs = new Map([['d1', 'x'.repeat(30_000)]])
  await store.append({ ledger: LEDGER, epoch, after: 0, at: 1, events: [{ kind: 'first' }], blobs, summary })
  await store.addRequest('request-1' as RequestId, { kind: 'pause' }, 1)
  return store
}

async function appendAll(store: Store, from: number, to: number, text = ''): Promise<void> {
  for (let seq = from; seq <= to; seq += 1) {
    const more = { kind: 'more', text }
    await store.append({ ledger: LEDGER, epoch: 1, after: seq - 1, at: seq, events: [more] })
    await new Promise(setImmediate)
  }
}

async function contentOf(store: Store): Promise<unknown> {
  const events: unknown[] = []
  for await (const chunk of store.readAll(0, {})) events.push(...chunk)
  return { events, blob: await store.blob('d1'), runs: await store.runs(), requests: await store.pendingRequests() }
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}

function overwrite(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xa5, 4096, 9000))
}

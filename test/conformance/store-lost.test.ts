import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import type { Problem } from '../../src/core/model/problem.ts'
import { unwrap } from '../../src/core/model/problem.ts'
import type { Store } from '../../src/ports/store.ts'
import { SOON } from '../patience.ts'
import { batch, everything, facts, LEDGER } from './store-facts.ts'

let root: string
let folder: string
let file: string
let store: Store
let lost: Problem[]

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'longhaul-lost-'))
  folder = join(root, 'state')
  file = join(folder, 'state.db')
  store = unwrap(await openSqliteStore({ folder }))
  await store.claim(LEDGER)
  await store.append(batch({ events: facts('a', 'b') }))
  lost = []
  store.watchFiles((problem) => void lost.push(problem))
})
afterEach(async () => {
  await store.close()
  rmSync(root, { recursive: true })
})

describe('a state that goes away in use is noticed', () => {
  test.each([
    ['its folder is moved away', () => renameSync(folder, join(root, 'moved')), 'was moved away or deleted'],
    ['its folder is deleted', () => rmSync(folder, { recursive: true }), 'was moved away or deleted'],
    ['its write-ahead log is deleted', () => rmSync(`${file}-wal`), 'was moved away or deleted'],
    ['its file is truncated', () => truncateSync(file), 'was truncated'],
    ['its write-ahead log is truncated', () => truncateSync(`${file}-wal`), 'was truncated'],
    ['another file takes its name', replace, 'was replaced by another file'],
    ['another file is copied over it', overwrite, 'was overwritten by another program'],
    ['a newer Longhaul changes its schema', () => newerSchema(), 'was changed by a newer Longhaul'],
  ])('%s', async (_, takeAway, words) => {
    await takeAway()
    await expect.poll(() => lost, SOON).toEqual([expect.objectContaining({ message: expect.stringContaining(words) })])
    await expect(store.append(batch({ events: facts('c'), after: 2 }))).rejects.toThrow(words)
  })

  test('before the next append, and what was recorded can be saved', async () => {
    renameSync(folder, join(root, 'moved'))
    await expect(store.append(batch({ events: facts('c'), after: 2 }))).rejects.toThrow('was moved away or deleted')
    await store.saveCopy(join(root, "it's saved.db"))
    renameSync(join(root, "it's saved.db"), join(root, 'state.db'))
    const saved = unwrap(await openSqliteStore({ folder: root }))
    expect((await everything(saved.read(LEDGER, 0))).map(({ event }) => event)).toEqual(facts('a', 'b'))
    await saved.close()
  })

  test('and closing changes nothing in a file that was copied over it', async () => {
    await overwrite()
    await expect.poll(() => lost.length, SOON).toBe(1)
    await store.close()
    expect(readFileSync(file).equals(readFileSync(join(root, 'other/state.db')))).toBe(true)
  })
})

test('appends and checkpoints of other processes are no loss', async () => {
  const other = unwrap(await openSqliteStore({ folder }))
  const { epoch } = await other.claim(LEDGER)
  for (let after = 2; after < 40; after += 1) await other.append(batch({ epoch, events: facts('x'), after }))
  await other.close()
  await store.append(batch({ epoch, events: facts('y'), after: 40 }))
  expect(lost).toEqual([])
})

async function otherState(): Promise<string> {
  const other = unwrap(await openSqliteStore({ folder: join(root, 'other') }))
  await other.claim(LEDGER)
  await other.append(batch({ events: facts('other') }))
  await other.close()
  return join(root, 'other/state.db')
}

async function overwrite(): Promise<void> {
  copyFileSync(await otherState(), file)
}

async function replace(): Promise<void> {
  renameSync(await otherState(), file)
}

function newerSchema(): void {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 99')
  db.close()
}

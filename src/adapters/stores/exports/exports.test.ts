import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Commit, LedgerId, RunId } from '../../../core/model/ids.ts'
import { isProblem } from '../../../core/model/problem.ts'
import type { ExportOrder, RunExport } from '../../../ports/run-exports.ts'
import type { Store } from '../../../ports/store.ts'
import { emptyMemory, openMemoryStore } from '../memory/memory-store.ts'
import { runExports } from './run-exports.ts'

const RUN = 'run/r1' as LedgerId
const ATTEMPT = 'attempt/t1-a1' as LedgerId
const DIGEST = 'a'.repeat(64)

/** A store with two ledgers whose facts were recorded by turns, and a text. */
async function filledStore(): Promise<Store> {
  const store = openMemoryStore(emptyMemory())
  const epochs = new Map<LedgerId, number>()
  for (const ledger of [RUN, ATTEMPT]) epochs.set(ledger, (await store.claim(ledger)).epoch)
  for (let seq = 1; seq <= 3; seq += 1) {
    for (const ledger of [RUN, ATTEMPT]) {
      const events = [{ kind: 'notice-recorded', text: `${ledger} ${seq} ${seq === 2 ? DIGEST : ''}` }]
      const blobs = new Map([[DIGEST, 'a long\ntext']])
      await store.append({ ledger, epoch: epochs.get(ledger) ?? 0, after: seq - 1, at: seq * 10, events, blobs })
    }
  }
  return store
}

function orderOf(store: Store, signal = new AbortController().signal): ExportOrder {
  const commits = [{ commit: 'c1' as Commit, what: 'the landing line' }]
  const about = {
    runs: [{ run: 'r1' as RunId, target: 'main', line: null }],
    exportedAt: '2026-01-01T00:00:00.000Z',
    repository: 'here',
    commits,
  }
  return {
    store,
    ledgers: [RUN, ATTEMPT],
    about,
    transcripts: new Map(),
    settings: 'a: 1\n',
    signal,
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul export '))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function factsOf(store: Store): Promise<readonly unknown[]> {
  const facts: unknown[] = []
  for await (const chunk of store.readAll(0, {})) facts.push(...chunk)
  return facts
}

async function exported(): Promise<{ readonly store: Store; readonly read: RunExport; readonly folder: string }> {
  const store = await filledStore()
  const folder = join(newFolder(), 'out')
  await runExports.write(folder, orderOf(store))
  const read = await runExports.read(folder)
  if (isProblem(read)) throw new Error(read.message)
  return { store, read, folder }
}

test('what is taken in is what was written: facts, places, times, order, texts', async () => {
  const { store, read } = await exported()
  const other = openMemoryStore(emptyMemory())
  expect(await read.importInto(other, async () => ({ endedAt: null }))).toBe(null)
  expect(await factsOf(other)).toEqual(await factsOf(store))
  expect(await other.blob(DIGEST)).toBe('a long\ntext')
  expect(await other.runs()).toEqual([{ run: 'r1', row: { endedAt: null } }])
  expect(read).toMatchObject({ settings: 'a: 1\n', header: { runs: [{ run: 'r1', target: 'main', line: null }] } })
})

test.each([1, 2, 5])(
  'a take-in that was killed at its append %d shows no run, and goes on when tried again',
  async (at) => {
    const { store, read } = await exported()
    const memory = emptyMemory()
    const other = openMemoryStore(memory)
    let appends = 0
    const killed: Store = {
      ...other,
      append: (batch) => {
        appends += 1
        return appends < at ? other.append(batch) : Promise.reject(new Error('killed'))
      },
    }
    await expect(read.importInto(killed, async () => ({}))).rejects.toThrow('killed')
    expect(await other.runs()).toEqual([])
    expect(await read.importInto(openMemoryStore(memory), async () => ({}))).toBe(null)
    expect(await factsOf(other)).toEqual(await factsOf(store))
  },
)

test('facts of another run under the same names are not mixed with it', async () => {
  const { read } = await exported()
  const other = openMemoryStore(emptyMemory())
  const { epoch } = await other.claim(ATTEMPT)
  await other.append({ ledger: ATTEMPT, epoch, after: 0, at: 1, events: [{ kind: 'message-received' }] })
  expect(await read.importInto(other, async () => ({}))).toMatchObject({ code: 'ledger-taken' })
  expect(await other.runs()).toEqual([])
})

test('an export that is called off, or would write over something, leaves nothing', async () => {
  const store = await filledStore()
  const parent = newFolder()
  expect(await runExports.write(join(parent, 'out'), orderOf(store, AbortSignal.abort()))).toMatchObject({
    code: 'export-unwritable',
  })
  writeFileSync(join(parent, 'file'), '')
  expect(await runExports.write(join(parent, 'file'), orderOf(store))).toMatchObject({ code: 'export-exists' })
  expect(readdirSync(parent)).toEqual(['file'])
})

test.each([
  ['/proc/nowhere/out', 'the folder cannot be created'],
  ['/dev/null/out', 'a part of the path is not a folder'],
])('an export to %s is refused in the end', async (folder, why) => {
  expect(await runExports.write(folder, orderOf(await filledStore()))).toMatchObject({
    code: 'export-unwritable',
    message: expect.stringContaining(why),
  })
})

test.each([
  ['a file is missing', (folder: string) => rmSync(join(folder, `blobs/${DIGEST}.txt`)), 'is missing'],
  ['a file has been cut', (folder: string) => writeFileSync(join(folder, 'facts.jsonl'), ''), 'has been changed'],
  ['the header is no JSON', (folder: string) => writeFileSync(join(folder, 'export.json'), '{'), 'is no JSON'],
])('an export is refused when %s', async (_, damage, message) => {
  const { folder } = await exported()
  damage(folder)
  expect(await runExports.read(folder)).toMatchObject({
    code: 'export-damaged',
    message: expect.stringContaining(message),
  })
})

test('an export names no file outside of its folder', async () => {
  const { folder } = await exported()
  const header = {
    ...JSON.parse(readFileSync(join(folder, 'export.json'), 'utf8')),
    files: [{ path: 'transcripts/../secret', bytes: 0, sha256: '' }],
  }
  writeFileSync(join(folder, 'export.json'), JSON.stringify(header))
  expect(await runExports.read(folder)).toMatchObject({ code: 'export-damaged' })
  expect(existsSync(join(folder, 'facts.jsonl'))).toBe(true)
})

// Process with its own store or lease, for tests that need several or kill one: COMMAND FOLDER [ARGUMENT].
import { writeSync } from 'node:fs'
import { sqliteLeases } from '../../src/adapters/stores/lease.ts'
import { sqliteBackups } from '../../src/adapters/stores/sqlite/backups/backups.ts'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import type { LedgerId, RequestId } from '../../src/core/model/ids.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import type { Store } from '../../src/ports/store.ts'
import { leasePlace } from './lease-place.ts'

const [command = '', folder = '', argument = ''] = process.argv.slice(2)
const LEDGER = 'run/r1' as LedgerId

switch (command) {
  case 'append':
    await appendForever(await open())
    break
  case 'race':
    await race(await open(), Number(argument))
    break
  case 'crowd':
    await joinCrowd(await open(), argument)
    break
  case 'watch':
    await watchRequests(await open())
    break
  case 'watch-and-leave':
    ;(await open()).watch(() => {})
    print('watching')
    break
  case 'backup':
    await sqliteBackups(folder).write(argument, new AbortController().signal)
    break
  case 'lease':
    await holdLease()
    break
  case 'try-lease':
    print((await sqliteLeases(leasePlace(folder)).acquire(me('try'))).kind)
    break
  default:
    throw new Error(`Unknown command ${command}`)
}

async function appendForever(store: Store): Promise<void> {
  const { epoch, seq } = await store.claim(LEDGER)
  for (let after = seq; ; after += 1) {
    const result = await store.append({ ledger: LEDGER, epoch, after, at: 1, events: [{ kind: 'fact' }] })
    print(result.kind === 'appended' ? `${result.seq}` : result.kind)
  }
}

/** Appends at every position under another process's claim; prints the positions that it won. */
async function race(store: Store, places: number): Promise<void> {
  for (let after = 0; after < places; after += 1) {
    const result = await store.append({ ledger: LEDGER, epoch: 1, after, at: 1, events: [{ kind: `${process.pid}` }] })
    if (result.kind === 'appended') print(`${result.seq}`)
    else while (await isShort(store, after)) await new Promise(setImmediate)
  }
  print('end')
}

async function isShort(store: Store, after: number): Promise<boolean> {
  for await (const _ of store.read(LEDGER, after)) return false
  return true
}

async function joinCrowd(store: Store, name: string): Promise<void> {
  const ledger = `attempt/${name}` as LedgerId
  const { epoch } = await store.claim(ledger)
  for (let after = 0; after < 50; after += 1) {
    await store.append({ ledger, epoch, after, at: 1, events: [{ kind: 'fact' }] })
    await store.addRequest(`${name}-${after}` as RequestId, {}, 1)
  }
  await store.close()
  print('end')
}

async function watchRequests(store: Store): Promise<void> {
  const alive = setInterval(() => {}, 60_000)
  const woken = new Promise<void>((resolve) => store.watch(resolve))
  print('watching')
  await woken
  print(`${(await store.pendingRequests()).length}`)
  clearInterval(alive)
}

async function holdLease(): Promise<void> {
  print((await sqliteLeases(leasePlace(folder)).acquire(me('run'))).kind)
  for (let round = 0; round < 20 && globalThis.gc; round += 1) {
    globalThis.gc()
    await new Promise(setImmediate)
  }
  print('collected')
  setInterval(() => {}, 60_000)
}

async function open(): Promise<Store> {
  const store = await openSqliteStore({ folder })
  if (isProblem(store)) throw new Error(store.message)
  return store
}

function me(purpose: string) {
  return { pid: process.pid, startedAt: 1, purpose }
}

function print(line: string): void {
  writeSync(1, `${line}\n`)
}

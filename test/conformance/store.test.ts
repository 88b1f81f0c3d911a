import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { emptyMemory, openMemoryStore } from '../../src/adapters/stores/memory/memory-store.ts'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import type { Store } from '../../src/ports/store.ts'
import { storeConformance } from './store.ts'

storeConformance('memory', async () => {
  const memory = emptyMemory()
  return {
    open: async () => openMemoryStore(memory),
    spoil(ledger, seq, change) {
      const rows = memory.ledgers.get(ledger) ?? []
      const row = rows[seq - 1]
      if (row === undefined) throw new Error(`${ledger} has no event ${seq}`)
      const spoiled = { ...row, body: change(row.body) }
      rows[seq - 1] = spoiled
      memory.events[row.position - 1] = spoiled
    },
    remove: async () => {},
  }
})

storeConformance('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-store-'))
  const stateFolder = join(folder, 'a b ü')
  const stores: Store[] = []
  return {
    async open() {
      const store = await openSqliteStore({ folder: stateFolder })
      if (isProblem(store)) throw new Error(store.message)
      stores.push(store)
      return store
    },
    spoil(ledger, seq, change) {
      const db = new DatabaseSync(join(stateFolder, 'state.db'))
      const row = db.prepare('SELECT body FROM events WHERE ledger = ? AND seq = ?').get(ledger, seq)
      db.prepare('UPDATE events SET body = ? WHERE ledger = ? AND seq = ?').run(change(row.body), ledger, seq)
      db.close()
    },
    async remove() {
      for (const store of stores) await store.close()
      await rm(folder, { recursive: true })
    },
  }
})

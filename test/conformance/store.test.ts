import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyMemory, openMemoryStore } from '../../src/adapters/stores/memory/memory-store.ts'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import type { Store } from '../../src/ports/store.ts'
import { storeConformance } from './store.ts'

storeConformance('memory', async () => {
  const memory = emptyMemory()
  return { open: async () => openMemoryStore(memory), remove: async () => {} }
})

storeConformance('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-store-'))
  const stores: Store[] = []
  return {
    async open() {
      const store = await openSqliteStore({ folder: join(folder, 'a b ü') })
      if (isProblem(store)) throw new Error(store.message)
      stores.push(store)
      return store
    },
    async remove() {
      for (const store of stores) await store.close()
      await rm(folder, { recursive: true })
    },
  }
})

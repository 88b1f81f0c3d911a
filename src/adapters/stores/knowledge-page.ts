import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KNOWLEDGE_FILE } from '../../core/knowledge/keep-knowledge.ts'
import type { KnowledgePage } from '../../ports/knowledge-page.ts'

/** Keeps the knowledge page as a file in a folder; each write replaces the whole file, so readers never see half of it. */
export function fileKnowledgePage(folder: string): KnowledgePage {
  const path = join(folder, KNOWLEDGE_FILE)
  return {
    write(text) {
      try {
        writeFileSync(`${path}.new`, text)
        renameSync(`${path}.new`, path)
      } catch {
        // The disk is full or unwritable. The ledger has everything, and the next entry tries again.
      }
    },
  }
}

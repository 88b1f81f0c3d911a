import { renameSync, writeFileSync } from 'node:fs'
import type { KnowledgePage } from '../../ports/knowledge-page.ts'

/** Keeps the page in a file that is replaced as a whole, so readers never see half of it. */
export function fileKnowledgePage(path: string): KnowledgePage {
  return {
    write(text) {
      try {
        writeFileSync(`${path}.new`, text)
        renameSync(`${path}.new`, path)
      } catch {
        // A full or read-only disk: the ledger has every entry, and the next one writes the page again.
      }
    },
  }
}

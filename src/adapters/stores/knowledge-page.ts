import { renameSync, writeFileSync } from 'node:fs'
import type { KnowledgePage } from '../../ports/knowledge-page.ts'

/** The page as a file, replaced as a whole: whoever reads it never sees half of it. */
export function fileKnowledgePage(path: string): KnowledgePage {
  return {
    write(text) {
      try {
        writeFileSync(`${path}.new`, text)
        renameSync(`${path}.new`, path)
      } catch {
        // A full or unwritable disk; the ledger has it all, and the next entry tries again.
      }
    },
  }
}

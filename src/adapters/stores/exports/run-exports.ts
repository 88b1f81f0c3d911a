import type { RunExports } from '../../../ports/run-exports.ts'
import { readExport } from './read-export.ts'
import { writeExport } from './write-export.ts'

/** Exports as folders of JSON lines and text. */
export const runExports: RunExports = { write: writeExport, read: readExport }

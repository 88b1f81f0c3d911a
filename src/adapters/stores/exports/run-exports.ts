import type { RunExports } from '../../../ports/run-exports.ts'
import { readExport } from './read-export.ts'
import { writeExport } from './write-export.ts'

/** Writes and reads exports: folders of JSON lines and text files. */
export const runExports: RunExports = { write: writeExport, read: readExport }

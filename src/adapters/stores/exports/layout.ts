import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { type Problem, problem } from '../../../core/model/problem.ts'

/** Version of the files that we write. */
export const EXPORT_VERSION = 1

/** Paths inside an export's folder. */
export const LAYOUT = {
  header: 'export.json',
  facts: 'facts.jsonl',
  settings: 'longhaul.yaml',
  blobs: 'blobs',
  transcripts: 'transcripts',
} as const

// Accepts only paths that we write, and none that leads out of the folder.
const KNOWN_PATH = /^(facts\.jsonl|longhaul\.yaml|blobs\/[0-9a-f]{64}\.txt|transcripts\/[^/\\]+\/[^/\\]+)$/
const isInside = (path: string) => KNOWN_PATH.test(path) && !path.split('/').includes('..')

/** Table of contents of an export; written last. */
export const headerSchema = z.strictObject({
  format: z.literal('longhaul-export'),
  version: z.literal(EXPORT_VERSION),
  runs: z.array(z.strictObject({ run: z.string(), target: z.string(), line: z.string().nullable() })).min(1),
  exportedAt: z.iso.datetime(),
  repository: z.string(),
  commits: z.array(z.strictObject({ commit: z.string(), what: z.string() })),
  files: z.array(
    z.strictObject({
      path: z.string().refine(isInside),
      bytes: z.int(),
      sha256: z.string(),
    }),
  ),
})

/** Schema of one line of the facts. */
export const factSchema = z.strictObject({
  ledger: z.string().regex(/^(run|attempt)\/./),
  seq: z.int().min(1),
  at: z.number(),
  version: z.int().min(1),
  event: z.looseObject({ kind: z.string() }),
})

/** Computes size and digest of a file. */
export async function digestOf(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Reports an export that differs from what was written. */
export function damaged(folder: string, what: string, cause?: unknown): Problem {
  return problem({
    code: 'export-damaged',
    message: `The export ${folder} is damaged: ${what}. Nothing was imported.`,
    hint: 'Copy it again from the machine that wrote it, or export the run again.',
    retry: 'person',
    cause,
  })
}

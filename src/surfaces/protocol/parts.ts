import { z } from 'zod'
import { SEVERITIES } from '../../core/model/agent-report.ts'

/** Tokens, with cache reads and writes apart. */
export const tokensSchema = z.strictObject({
  input: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  output: z.number(),
})

/** Cost, turns and tokens spent. */
export const spentSchema = z.strictObject({ usd: z.number().nullable(), turns: z.int(), tokens: tokensSchema })

/** Something that must change. */
export const findingSchema = z.strictObject({
  source: z.string(),
  message: z.string(),
  excerpt: z.string(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  severity: z.enum(SEVERITIES).nullable(),
  outputFile: z.string().nullable(),
  blames: z.enum(['work', 'environment']),
  needsPerson: z.boolean(),
})

/** Record of a check that ran. */
export const receiptSchema = z.strictObject({
  gate: z.string(),
  command: z.string(),
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number(),
  outputDigest: z.string(),
  tree: z.string(),
  commit: z.string(),
  environmentDigest: z.string(),
  passed: z.boolean(),
  blocking: z.boolean(),
  tests: z
    .strictObject({
      framework: z.string(),
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
      durationMs: z.number().nullable(),
    })
    .nullable(),
  coverage: z.number().nullable(),
  testNames: z.string().nullable(),
  excuse: z.string().nullable(),
  /** Digest of the command and of what it is made of. */
  definition: z.string().nullable(),
  /** Outcome of a planted failure; null when none was planted. */
  canary: z.enum(['named', 'unnamed', 'dead', 'none']).nullable(),
  cachedFrom: z.string().nullable(),
})

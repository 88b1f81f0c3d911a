import { z } from 'zod'
import { STANDINGS } from '../../core/run/state.ts'
import { findingSchema, receiptSchema } from './parts.ts'

/** What `longhaul verify --json` prints. */
export const verifySchema = z.strictObject({
  task: z.string(),
  commit: z.string(),
  passed: z.boolean(),
  receipts: z.array(receiptSchema),
  findings: z.array(findingSchema),
})

const beginning = z.strictObject({ task: z.string(), attempt: z.string(), reason: z.string() })

/** What `longhaul run --dry-run --json` prints. */
export const dryRunSchema = z.strictObject({
  run: z.string(),
  isPaused: z.boolean(),
  /** Whether the target is checked before anything starts. */
  isBaselineFirst: z.boolean(),
  goesOn: z.array(beginning),
  starts: z.array(beginning),
  waits: z.array(z.strictObject({ task: z.string(), state: z.enum(STANDINGS), reason: z.string().nullable() })),
})

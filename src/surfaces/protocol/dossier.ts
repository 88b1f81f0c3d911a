import { z } from 'zod'
import { STANDINGS } from '../../core/run/state.ts'
import { findingSchema, receiptSchema, spentSchema } from './parts.ts'

const changedFile = z.strictObject({ path: z.string(), added: z.int().nullable(), removed: z.int().nullable() })

const round = z.strictObject({
  round: z.int(),
  phase: z.string(),
  asked: z.string(),
  ended: z.string().nullable(),
  span: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
  changed: z.array(changedFile).nullable(),
  found: z.string().nullable(),
  isAgain: z.boolean(),
})

const attempt = z.strictObject({
  id: z.string(),
  outcome: z.enum(['landed', 'failed', 'abandoned']).nullable(),
  reason: z.string().nullable(),
  branch: z.string(),
  salvage: z.array(z.string()),
  spent: spentSchema,
  commit: z.string().nullable(),
  roundsBefore: z.int(),
  rounds: z.array(round),
})

/** JSON output of `longhaul show TASK --dossier --json`. */
export const dossierSchema = z.strictObject({
  run: z.string().nullable(),
  id: z.string(),
  title: z.string(),
  state: z.enum(STANDINGS),
  reason: z.string().nullable(),
  brief: z.string(),
  acceptance: z.array(z.string()),
  verify: z.array(z.string()),
  spent: spentSchema,
  attemptsBefore: z.int(),
  attempts: z.array(attempt),
  findings: z.array(z.strictObject({ finding: findingSchema, places: z.array(z.string()), isOpen: z.boolean() })),
  findingsMore: z.int(),
  receipts: z.array(receiptSchema),
  commands: z.array(z.strictObject({ command: z.string(), does: z.string() })),
  isDriven: z.boolean(),
})

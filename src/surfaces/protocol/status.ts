import { z } from 'zod'
import { STANDINGS } from '../../core/run/state.ts'
import { tokensSchema } from './parts.ts'

const session = z.strictObject({
  id: z.string(),
  driver: z.string(),
  model: z.string().nullable(),
  activity: z.string().nullable(),
  contextUsed: z.number().nullable(),
  contextSize: z.number().nullable(),
  handOffs: z.int(),
  /** Model calls of the round that goes on, or of the last one. */
  turns: z.int(),
  /** How many that round may take; null: none goes on. */
  turnsMax: z.int().nullable(),
})

const task = z.strictObject({
  id: z.string(),
  title: z.string(),
  state: z.enum(STANDINGS),
  phase: z.string().nullable(),
  attempts: z.int(),
  reason: z.string().nullable(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  proof: z.string().nullable(),
  spendUsd: z.number().nullable(),
  session: session.nullable(),
})

const run = z.strictObject({
  id: z.string(),
  state: z.enum(['open', 'running', 'paused', 'parked', 'waiting', 'ended']),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  target: z.string(),
  targetBehind: z.boolean(),
})

/** What `longhaul status --json` prints, and `longhaul run --json` as its last line. */
export const statusSchema = z.strictObject({
  /** null: there is no run yet. */
  run: run.nullable(),
  tasks: z.array(task),
  limits: z.array(z.strictObject({ what: z.string(), until: z.iso.datetime() })),
  totals: z.strictObject({ usd: z.number(), turns: z.int(), tokens: tokensSchema }),
  /** Tasks that agents proposed; `longhaul show ID --json` tells of one. */
  proposals: z.array(z.strictObject({ id: z.string(), title: z.string(), by: z.string() })),
  /** How many things agents have learned here; `longhaul show --knowledge --json` has them. */
  knowledge: z.int(),
})

/** What `longhaul log --json` prints on each line; besides these, the fields of its kind. */
export const eventSchema = z.looseObject({
  seq: z.int().min(1),
  at: z.iso.datetime(),
  ledger: z.string().regex(/^(run|attempt)\/./),
  kind: z.string(),
})

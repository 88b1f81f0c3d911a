import { z } from 'zod'
import { SANDBOX_LEVELS } from '../../core/model/settings.ts'
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
  /** Model calls of the running round, or of the last one. */
  turns: z.int(),
  /** Limit of that round, or null when none is running. */
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
  alreadyGreen: z.array(z.string()),
  /** Requested revert that has not succeeded; `reason` explains it. */
  revert: z.enum(['pending', 'refused']).nullable(),
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
  /** Sandbox of the last engine; null before the first one. */
  sandbox: z.strictObject({ level: z.enum([...SANDBOX_LEVELS, 'none']), why: z.string().nullable() }).nullable(),
})

/** JSON output of `longhaul status --json`, and `longhaul run --json` as its last line. */
export const statusSchema = z.strictObject({
  /** Null when there is no run yet. */
  run: run.nullable(),
  tasks: z.array(task),
  limits: z.array(z.strictObject({ what: z.string(), until: z.iso.datetime() })),
  totals: z.strictObject({ usd: z.number(), turns: z.int(), tokens: tokensSchema }),
  /** Tasks that agents proposed; `longhaul show ID --json` shows one. */
  proposals: z.array(z.strictObject({ id: z.string(), title: z.string(), by: z.string() })),
  /** Number of entries that agents have learned; `longhaul show --knowledge --json` lists them. */
  knowledge: z.int(),
})

/** JSON output of `longhaul log --json` on each line, plus the fields of each kind. */
export const eventSchema = z.looseObject({
  seq: z.int().min(1),
  at: z.iso.datetime(),
  ledger: z.string().regex(/^(run|attempt)\/./),
  kind: z.string(),
})

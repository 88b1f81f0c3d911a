import { z } from 'zod'
import { AGENT_ENDS } from '../../core/model/round.ts'
import { WEIGHTS } from '../../core/model/task.ts'
import { ROLES } from '../../core/model/workflow.ts'
import { STANDINGS } from '../../core/run/state.ts'
import { findingSchema, receiptSchema, spentSchema } from './parts.ts'

const moment = z.iso.datetime()
const neighbour = z.strictObject({ id: z.string(), title: z.string(), state: z.enum(STANDINGS) })

const round = z.strictObject({
  round: z.int(),
  phase: z.string(),
  role: z.enum(ROLES),
  phaseRound: z.int(),
  session: z.string(),
  cause: z.looseObject({ kind: z.string() }),
  startedAt: moment,
  endedAt: moment.nullable(),
  end: z.enum([...AGENT_ENDS, 'lost']).nullable(),
  detail: z.string().nullable(),
  claim: z.looseObject({ kind: z.enum(['done', 'continue', 'blocked']) }).nullable(),
  turnsMax: z.int(),
  turnsWhy: z.string(),
  spent: spentSchema,
})

const session = z.strictObject({
  id: z.string(),
  model: z.string().nullable(),
  openedAt: moment.nullable(),
  state: z.enum(['active', 'handed-off', 'completed', 'abandoned']),
  rounds: z.int(),
  contextUsed: z.number().nullable(),
  contextSize: z.number().nullable(),
  /** Hand-off note for the next session. */
  note: z.string().nullable(),
  spent: spentSchema,
})

const verdict = z.strictObject({
  at: moment,
  on: z.enum(['workspace', 'merged']),
  commit: z.string().nullable(),
  passed: z.boolean(),
  receipts: z.array(receiptSchema),
  findings: z.array(findingSchema),
})

const attempt = z.strictObject({
  id: z.string(),
  number: z.int(),
  startedAt: moment,
  why: z.string(),
  base: z.string(),
  branch: z.string(),
  driver: z.string().nullable(),
  model: z.string().nullable(),
  endedAt: moment.nullable(),
  outcome: z.enum(['landed', 'failed', 'abandoned']).nullable(),
  reason: z.string().nullable(),
  phases: z.array(z.strictObject({ at: moment, phase: z.string(), why: z.string() })),
  rounds: z.array(round),
  sessions: z.array(session),
  commits: z.array(z.strictObject({ at: moment, round: z.int(), commit: z.string(), files: z.int() })),
  verdicts: z.array(verdict),
  found: z.array(z.strictObject({ at: moment, round: z.int(), from: z.string(), findings: z.array(findingSchema) })),
  waits: z.array(z.strictObject({ at: moment, for: z.string(), reason: z.string() })),
  notes: z.array(z.strictObject({ at: moment, text: z.string() })),
  salvage: z.array(z.string()),
  findings: z.array(findingSchema),
  spent: spentSchema,
})

/** JSON output of `longhaul show --json`. */
export const storySchema = z.strictObject({
  run: z.string().nullable(),
  id: z.string(),
  title: z.string(),
  state: z.enum(STANDINGS),
  reason: z.string().nullable(),
  milestone: z.strictObject({ id: z.string(), title: z.string() }).nullable(),
  weight: z.enum(WEIGHTS),
  type: z.string().nullable(),
  priority: z.int(),
  brief: z.string(),
  acceptance: z.array(z.string()),
  verify: z.array(z.string()),
  alreadyGreen: z.array(z.string()),
  files: z.array(z.string()),
  after: z.array(neighbour),
  before: z.array(neighbour),
  attempts: z.array(attempt),
  landed: z
    .strictObject({
      at: moment,
      attempt: z.string(),
      commit: z.string(),
      proof: z.string(),
      revertedBy: z.string().nullable(),
    })
    .nullable(),
  spent: spentSchema,
  problem: z.strictObject({ message: z.string(), hint: z.string() }).nullable(),
})

/** JSON output of `longhaul diff --json`; before any work, all but `task` and `files` are null. Line counts are null for binary files. */
export const diffSchema = z.strictObject({
  task: z.string(),
  attempt: z.string().nullable(),
  of: z.enum(['landed', 'saved', 'salvaged']).nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  files: z.array(z.strictObject({ path: z.string(), added: z.int().nullable(), removed: z.int().nullable() })),
})

/** JSON output of `longhaul show --prompt --json`; `attempt`, `round` and `sentAt` are null before anything was sent. */
export const promptSchema = z.strictObject({
  task: z.string(),
  attempt: z.string().nullable(),
  round: z.int().nullable(),
  sentAt: moment.nullable(),
  prompt: z.string(),
})

/** JSON output of `longhaul show MILESTONE --json`. */
export const milestoneSchema = z.strictObject({
  run: z.string().nullable(),
  id: z.string(),
  title: z.string(),
  brief: z.string(),
  after: z.array(z.string()),
  tasks: z.array(neighbour),
  summary: z.strictObject({ text: z.string(), by: z.enum(['judge', 'facts']), why: z.string() }).nullable(),
})

/** JSON output of `longhaul show --json` for a task that an agent proposed. */
export const proposalSchema = z.strictObject({
  run: z.string().nullable(),
  id: z.string(),
  title: z.string(),
  state: z.literal('proposed'),
  /** Task and attempt of the agent that proposed it. */
  by: z.strictObject({ task: z.string(), attempt: z.string() }),
  at: z.iso.datetime(),
  brief: z.string(),
  acceptance: z.array(z.string()),
  verify: z.array(z.string()),
  after: z.array(z.string()),
})

/** JSON output of `longhaul show --knowledge --json`, newest last. */
export const knowledgeSchema = z.strictObject({
  knowledge: z.array(z.strictObject({ text: z.string(), files: z.array(z.string()), task: z.string() })),
  /** Path of the same entries as a page. */
  file: z.string(),
})

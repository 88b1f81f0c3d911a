import { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '../../core/model/problem-codes.ts'
import { STANDINGS } from '../../core/run/state.ts'
import { findingSchema, receiptSchema } from './parts.ts'

const codes = Object.values(PROBLEMS).flatMap((area) => Object.keys(area)) as ProblemCode[]
const problem = z.strictObject({ code: z.enum(codes), message: z.string(), hint: z.string() })

/** What any verb prints with --json when it is refused; `problem` is the first of `problems`. */
export const refusalSchema = z.strictObject({ problem, problems: z.array(problem).min(1) })

/** What `longhaul import --json` and `longhaul add --json` print. */
export const importSchema = z.strictObject({
  run: z.string().nullable(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
})

/** What `longhaul doctor --json` prints. */
export const doctorSchema = z.strictObject({
  checks: z.array(
    z.strictObject({
      name: z.string(),
      /** fine; worth knowing; to be looked at; keeps a run from going well */
      state: z.enum(['ok', 'note', 'warn', 'bad']),
      message: z.string(),
      hint: z.string(),
      /** Whether --fix can mend it. */
      fixable: z.boolean(),
      /** What --fix did about it. */
      fixed: z.string().nullable(),
    }),
  ),
})

/** What `longhaul stop --json` prints: the task, or the engine's process; null: no engine was running. */
export const stopSchema = z.strictObject({ stopped: z.union([z.string(), z.int(), z.null()]) })

/** What `longhaul retry --json` prints; `byEngine`: an engine is running, which goes on with it. */
export const retrySchema = z.strictObject({ retried: z.string(), byEngine: z.boolean() })

/** What `longhaul revert --json` prints; not yet reverted: it happens with the next run, or in the engine that is running. */
export const revertSchema = z.strictObject({ reverted: z.string(), isReverted: z.boolean() })

/** What `longhaul lab --json` prints: first where it listens, then each request with how it was answered. */
export const labSchema = z.union([
  z.strictObject({ url: z.string() }),
  z.looseObject({ at: z.number(), task: z.string().nullable(), answer: z.string(), tokensSent: z.number() }),
])

/** What `longhaul export --json` prints. */
export const exportSchema = z.strictObject({
  folder: z.string(),
  run: z.string(),
  files: z.int(),
  bytes: z.int(),
  ledgers: z.int(),
})

/** What `longhaul import FOLDER --json` prints for an exported run. */
export const importRunSchema = z.strictObject({
  run: z.string(),
  files: z.int(),
  /** What became of the settings file. */
  settings: z.enum(['none', 'same', 'other', 'written']),
})

/** What `longhaul gc --json` prints. */
export const gcSchema = z.strictObject({
  /** Whether it was removed (--yes), or only looked for. */
  isFreed: z.boolean(),
  bytes: z.int(),
  items: z.array(
    z.strictObject({
      what: z.enum(['workspace', 'checkout', 'salvage', 'transcripts', 'records', 'refs']),
      name: z.string(),
      why: z.string(),
      /** null: commits, which git shares. */
      bytes: z.int().nullable(),
    }),
  ),
  /** What could not be freed, and why. */
  problems: z.array(problem),
})

/** What `longhaul pause --json` and `longhaul resume --json` print. */
export const pauseSchema = z.strictObject({
  run: z.string(),
  isPaused: z.boolean(),
  /** false: it was so before. */
  isChanged: z.boolean(),
  /** Whether an engine is running, which heard of it. */
  byEngine: z.boolean(),
})

/** What `longhaul skip --json` prints. */
export const skipSchema = z.strictObject({
  skipped: z.string(),
  /** The tasks that go on without its work. */
  dependents: z.array(z.string()),
  byEngine: z.boolean(),
})

/** What `longhaul approve --json`, `reject --json` and `answer --json` print. */
export const answerSchema = z.strictObject({
  task: z.string(),
  answer: z.enum(['approved', 'rejected', 'answered']),
  text: z.string(),
  byEngine: z.boolean(),
})

/** What `longhaul steer --json` prints. */
export const steerSchema = z.strictObject({
  steered: z.string(),
  /** How often something has been said about this task, this time included. */
  number: z.int().min(1),
  /** Whether an attempt is under way, which is told. */
  isLive: z.boolean(),
  byEngine: z.boolean(),
})

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

import { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '../../core/model/problem-codes.ts'
import { STANDINGS } from '../../core/run/state.ts'
import { findingSchema, receiptSchema } from './parts.ts'

const codes = Object.values(PROBLEMS).flatMap((area) => Object.keys(area)) as ProblemCode[]
const problem = z.strictObject({ code: z.enum(codes), message: z.string(), hint: z.string() })

/** JSON output of any verb that is refused; `problem` is the first of `problems`. */
export const refusalSchema = z.strictObject({ problem, problems: z.array(problem).min(1) })

/** JSON output of `longhaul import --json` and `longhaul add --json`. */
export const importSchema = z.strictObject({
  run: z.string().nullable(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
})

/** JSON output of `longhaul recover --json`. */
export const recoverSchema = z.strictObject({
  recovered: z.array(z.strictObject({ task: z.string(), title: z.string(), attempt: z.string(), commit: z.string() })),
  branches: z.array(z.string()),
  salvage: z.array(z.string()),
  isDryRun: z.boolean(),
})

/** JSON output of `longhaul doctor --json`. */
export const doctorSchema = z.strictObject({
  checks: z.array(
    z.strictObject({
      name: z.string(),
      /** Fine; worth knowing; needs attention; would make a run fail. */
      state: z.enum(['ok', 'note', 'warn', 'bad']),
      message: z.string(),
      hint: z.string(),
      /** True when --fix can fix it. */
      fixable: z.boolean(),
      /** Description of what --fix did. */
      fixed: z.string().nullable(),
    }),
  ),
})

/** JSON output of `longhaul stop --json`: the task, the engine's pid, or null when no engine was running. */
export const stopSchema = z.strictObject({ stopped: z.union([z.string(), z.int(), z.null()]) })

/** JSON output of `longhaul retry --json`; `byEngine` is true when a running engine retries it. */
export const retrySchema = z.strictObject({ retried: z.string(), byEngine: z.boolean() })

/** JSON output of `longhaul revert --json`; `isReverted` is false while the next run, or the running engine, still has to do it. */
export const revertSchema = z.strictObject({
  reverted: z.string(),
  isReverted: z.boolean(),
  /** Tasks that rest on it and are reverted before it, in this order. */
  dependents: z.array(z.string()),
})

/** JSON output of `longhaul lab --json`: first its URL, then each request with its answer. */
export const labSchema = z.union([
  z.strictObject({ url: z.string() }),
  z.looseObject({ at: z.number(), task: z.string().nullable(), answer: z.string(), tokensSent: z.number() }),
])

/** JSON output of `longhaul export --json`. */
export const exportSchema = z.strictObject({
  folder: z.string(),
  /** Exported runs, oldest first. */
  runs: z.array(z.string()),
  files: z.int(),
  bytes: z.int(),
  ledgers: z.int(),
})

/** JSON output of `longhaul import FOLDER --json` for exported runs. */
export const importRunSchema = z.strictObject({
  /** Imported runs, oldest first. */
  runs: z.array(z.string()),
  files: z.int(),
  /** Outcome for the settings file. */
  settings: z.enum(['none', 'same', 'other', 'written']),
})

/** JSON output of `longhaul backup --json`. */
export const backupSchema = z.strictObject({ file: z.string(), bytes: z.int(), runs: z.int(), events: z.int() })

/** JSON output of `longhaul import FILE --json` for a backup. */
export const restoreSchema = z.strictObject({
  restored: z.string(),
  runs: z.int(),
  events: z.int(),
  /** Tasks that have landed, and are not done in the backup. */
  landedSince: z.array(z.string()),
})

/** JSON output of `longhaul gc --json`. */
export const gcSchema = z.strictObject({
  /** True when the items were removed (--yes). */
  isFreed: z.boolean(),
  bytes: z.int(),
  items: z.array(
    z.strictObject({
      what: z.enum(['workspace', 'checkout', 'salvage', 'transcripts', 'cache', 'objects', 'refs']),
      name: z.string(),
      why: z.string(),
      /** Null for commits, which git shares. */
      bytes: z.int().nullable(),
    }),
  ),
  /** Reasons why items could not be freed. */
  problems: z.array(problem),
})

/** JSON output of `longhaul pause --json` and `longhaul resume --json`. */
export const pauseSchema = z.strictObject({
  run: z.string(),
  isPaused: z.boolean(),
  /** False when it already was so. */
  isChanged: z.boolean(),
  /** True when a running engine acts on it. */
  byEngine: z.boolean(),
})

/** JSON output of `longhaul skip --json`. */
export const skipSchema = z.strictObject({
  skipped: z.string(),
  /** Tasks that proceed without its work. */
  dependents: z.array(z.string()),
  byEngine: z.boolean(),
})

/** JSON output of `longhaul approve --json`, `reject --json` and `answer --json`. */
export const answerSchema = z.strictObject({
  task: z.string(),
  answer: z.enum(['approved', 'rejected', 'answered']),
  text: z.string(),
  byEngine: z.boolean(),
})

/** JSON output of `longhaul steer --json`. */
export const steerSchema = z.strictObject({
  steered: z.string(),
  /** Number of messages about this task, including this one. */
  number: z.int().min(1),
  /** True when an attempt is in progress, which receives the message. */
  isLive: z.boolean(),
  byEngine: z.boolean(),
})

/** JSON output of `longhaul verify --json`. */
export const verifySchema = z.strictObject({
  task: z.string(),
  commit: z.string(),
  passed: z.boolean(),
  receipts: z.array(receiptSchema),
  findings: z.array(findingSchema),
})

const beginning = z.strictObject({ task: z.string(), attempt: z.string(), reason: z.string() })

/** JSON output of `longhaul run --dry-run --json`. */
export const dryRunSchema = z.strictObject({
  run: z.string(),
  isPaused: z.boolean(),
  /** True when the target is checked before anything starts. */
  isBaselineFirst: z.boolean(),
  goesOn: z.array(beginning),
  starts: z.array(beginning),
  waits: z.array(z.strictObject({ task: z.string(), state: z.enum(STANDINGS), reason: z.string().nullable() })),
})

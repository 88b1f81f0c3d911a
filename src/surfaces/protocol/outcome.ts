import { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '../../core/model/problem-codes.ts'

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

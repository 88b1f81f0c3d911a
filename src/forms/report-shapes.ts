import { z } from 'zod'
import { DECISIONS, SEVERITIES } from '../core/model/agent-report.ts'
import type { Claim } from '../core/model/round.ts'

/** Text with a maximum length. */
export function text(max: number) {
  return z.string().max(max)
}

/** Fields for the state of an agent's work. */
export const standingShape = {
  status: z.enum(['done', 'continue', 'blocked']),
  reason: text(2_000).default(''),
}

/** Reads the claim from the fields for the state of the work. */
export function claimOf({ status, reason }: Fields<typeof standingShape>): Claim {
  if (status !== 'blocked') return { kind: status }
  return { kind: 'blocked', reason: reason.trim() || 'no reason was given' }
}

/** List of short texts. */
export const lines = z.array(text(1_000).min(1)).max(20).default([])

const issue = {
  severity: z.enum(SEVERITIES),
  file: text(500).nullable().default(null),
  line: z.int().min(1).nullable().default(null),
  message: text(2_000).min(1),
}

/** Fields of a review. */
export const reviewShape = {
  issues: z.array(z.strictObject(issue)).max(100).default([]),
  questions: lines,
  positives: lines,
  decision: z
    .strictObject({ kind: z.enum(DECISIONS), reason: text(2_000) })
    .nullable()
    .default(null),
}

const count = z.int().min(0)

/** Fields of test results. */
export const qaShape = {
  tests: z.array(text(500)).max(200).default([]).describe('files of tests that you wrote or changed'),
  ran: z.strictObject({ passed: count, failed: count, skipped: count }).nullable().default(null),
  coverage: z.number().min(0).max(1).nullable().default(null).describe('the share of lines covered'),
  documents: z.array(text(500)).max(100).default([]),
  issues: z
    .array(z.strictObject({ ...issue, reproduction: text(2_000) }))
    .max(100)
    .default([]),
}

type Fields<Shape extends z.core.$ZodLooseShape> = z.infer<z.ZodObject<Shape, z.core.$strict>>

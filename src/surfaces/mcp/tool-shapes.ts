import { z } from 'zod'
import { DECISIONS, type QaResult, type Review, SEVERITIES } from '../../core/model/agent-report.ts'
import { ID_PATTERN, type TaskId } from '../../core/model/ids.ts'
import type { Proposal } from '../../core/model/proposal.ts'

/** A text of a bounded length. */
export function text(max: number) {
  return z.string().max(max)
}

const lines = z.array(text(1_000).min(1)).max(20).default([])
const taskId = z.string().regex(ID_PATTERN)

export const proposalShape = {
  id: taskId.describe('a short new id, such as fix-login'),
  title: text(200).min(1),
  brief: text(10_000).min(1),
  after: z.array(taskId).max(20).default([]).describe('ids of tasks that must land first'),
  acceptance: lines,
  verify: lines.describe('commands that would prove it; a person confirms them first'),
}

const issue = {
  severity: z.enum(SEVERITIES),
  file: text(500).nullable().default(null),
  line: z.int().min(1).nullable().default(null),
  message: text(2_000).min(1),
}

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

type Given<Shape extends z.core.$ZodLooseShape> = z.infer<z.ZodObject<Shape, z.core.$strict>>

export function toProposal({ id, after, ...rest }: Given<typeof proposalShape>): Proposal {
  return { ...rest, id: id as TaskId, after: after.map((one) => one as TaskId) }
}

export function toReview(given: Given<typeof reviewShape>): Review {
  return given
}

export function toQa(given: Given<typeof qaShape>): QaResult {
  return given
}

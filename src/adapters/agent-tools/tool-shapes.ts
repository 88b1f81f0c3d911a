import { z } from 'zod'
import { ID_PATTERN, type TaskId } from '../../core/model/ids.ts'
import type { Proposal } from '../../core/model/proposal.ts'
import { lines, text } from '../../forms/report-shapes.ts'

const taskId = z.string().regex(ID_PATTERN)

export const proposalShape = {
  id: taskId.describe('a short new id, such as fix-login'),
  title: text(200).min(1),
  brief: text(10_000).min(1),
  after: z.array(taskId).max(20).default([]).describe('ids of tasks that must land first'),
  acceptance: lines,
  verify: lines.describe('commands that would prove it; a person confirms them first'),
}

type ProposalInput = z.infer<z.ZodObject<typeof proposalShape, z.core.$strict>>

export function toProposal({ id, after, ...rest }: ProposalInput): Proposal {
  return { ...rest, id: id as TaskId, after: after.map((one) => one as TaskId) }
}

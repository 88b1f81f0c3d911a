import { z } from 'zod'
import type { AgentReport, AnswerForm } from '../core/model/agent-report.ts'
import type { Claim } from '../core/model/round.ts'
import { claimOf, qaShape, reviewShape, standingShape } from './report-shapes.ts'

/** What an agent said in a form: how its work stands, and what it found. */
export interface FilledIn {
  readonly claim: Claim
  readonly report: AgentReport
}

/** A form as a JSON schema. */
export function answerSchema(form: AnswerForm): Readonly<Record<string, unknown>> {
  // The agent's own check of what it fills in knows an older dialect than the one that is named.
  const { $schema: _dialect, ...schema } = z.toJSONSchema(FORMS[form], { io: 'input' })
  return schema
}

/** What is filled in; null: something is missing, or not as the form has it. */
export function readAnswer(form: AnswerForm, given: unknown): FilledIn | null {
  return READERS[form](given)
}

// Lists are asked for even where they are empty: who leaves issues out has not said that there are none.
const FORMS = {
  review: z.strictObject({ ...standingShape, ...reviewShape, issues: reviewShape.issues.unwrap() }),
  qa: z.strictObject({ ...standingShape, ...qaShape, issues: qaShape.issues.unwrap() }),
} satisfies Record<AnswerForm, z.ZodObject>

const READERS: Readonly<Record<AnswerForm, (given: unknown) => FilledIn | null>> = {
  review(given) {
    const read = FORMS.review.safeParse(given).data
    if (read === undefined) return null
    const { status, reason, ...review } = read
    return { claim: claimOf({ status, reason }), report: { kind: 'review', review } }
  },
  qa(given) {
    const read = FORMS.qa.safeParse(given).data
    if (read === undefined) return null
    const { status, reason, ...qa } = read
    return { claim: claimOf({ status, reason }), report: { kind: 'qa', qa } }
  },
}

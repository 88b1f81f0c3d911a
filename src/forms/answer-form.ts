import { z } from 'zod'
import type { AgentReport, AnswerForm } from '../core/model/agent-report.ts'
import type { Claim } from '../core/model/round.ts'
import { claimOf, qaShape, reviewShape, standingShape } from './report-shapes.ts'

/** Answer of an agent in a form: the state of its work, and its report. */
export interface AnswerInForm {
  readonly claim: Claim
  readonly report: AgentReport
}

/** Returns the JSON schema of a form. */
export function answerSchema(form: AnswerForm): Readonly<Record<string, unknown>> {
  // Claude Code validates with an older JSON schema dialect than the one named here.
  const { $schema: _dialect, ...schema } = z.toJSONSchema(FORMS[form], { io: 'input' })
  return schema
}

/** Reads an answer in a form, or returns null when it does not match the form. */
export function readAnswer(form: AnswerForm, answer: unknown): AnswerInForm | null {
  return READERS[form](answer)
}

// The list of issues is required: an answer without it does not say that there are none.
const FORMS = {
  review: z.strictObject({ ...standingShape, ...reviewShape, issues: reviewShape.issues.unwrap() }),
  qa: z.strictObject({ ...standingShape, ...qaShape, issues: qaShape.issues.unwrap() }),
} satisfies Record<AnswerForm, z.ZodObject>

const READERS: Readonly<Record<AnswerForm, (answer: unknown) => AnswerInForm | null>> = {
  review(answer) {
    const read = FORMS.review.safeParse(answer).data
    if (read === undefined) return null
    const { status, reason, ...review } = read
    return { claim: claimOf({ status, reason }), report: { kind: 'review', review } }
  },
  qa(answer) {
    const read = FORMS.qa.safeParse(answer).data
    if (read === undefined) return null
    const { status, reason, ...qa } = read
    return { claim: claimOf({ status, reason }), report: { kind: 'qa', qa } }
  },
}

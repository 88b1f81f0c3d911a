import type { SDKResultMessage } from '@anthropic-ai/claude-agent-sdk'
import type { AnswerForm } from '../../../core/model/agent-report.ts'
import { type AnswerInForm, readAnswer } from '../../../forms/answer-form.ts'
import type { Mask } from './mask.ts'

/** Last answer of an agent: its words, and its answer in a form, if it has one. */
export interface FinalAnswer {
  readonly words: string
  /** Null when the agent has no form, or its answer cannot be read. */
  readonly filledIn: AnswerInForm | null
}

/** Reads the last answer from a result; `text` is everything the agent said since the prompt. */
export function readFinalAnswer(
  result: SDKResultMessage,
  form: AnswerForm | null,
  mask: Mask,
  text: string,
): FinalAnswer {
  const isAnswer = result.subtype === 'success'
  if (form === null) return { words: isAnswer ? mask(result.result) : '', filledIn: null }
  const structured = isAnswer ? result.structured_output : undefined
  // With a form, `result.result` is the form's JSON, or only the text after the request to fill it in.
  return {
    words: mask(text),
    filledIn: structured === undefined ? null : readAnswer(form, maskValue(structured, mask)),
  }
}

/** Returns the note for the next session, or null when there is none. */
export function handOffNote({ subtype, is_error: isError }: SDKResultMessage, { words }: FinalAnswer): string | null {
  return subtype === 'success' && !isError && /\S/.test(words) ? words : null
}

function maskValue(value: unknown, mask: Mask): unknown {
  return JSON.parse(mask(JSON.stringify(value)))
}

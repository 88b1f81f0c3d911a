import type { SDKResultMessage } from '@anthropic-ai/claude-agent-sdk'
import type { AnswerForm } from '../../../core/model/agent-report.ts'
import { type FilledIn, readAnswer } from '../../../forms/answer-form.ts'
import type { Mask } from './mask.ts'

/** What an agent leaves when it stops: its words, and what it put into its form where it has one. */
export interface LastAnswer {
  readonly words: string
  /** Null: nothing that can be read. */
  readonly filledIn: FilledIn | null
}

/** The last answer that a result tells; `said`: all that was said since the prompt. */
export function lastAnswer(result: SDKResultMessage, form: AnswerForm | null, mask: Mask, said: string): LastAnswer {
  const isAnswer = result.subtype === 'success'
  if (form === null) return { words: isAnswer ? mask(result.result) : '', filledIn: null }
  const given = isAnswer ? result.structured_output : undefined
  // As words, such a result has the form's own text, or only what came after the agent was told to fill it in.
  return { words: mask(said), filledIn: given === undefined ? null : readAnswer(form, masked(given, mask)) }
}

/** What a session wrote for its successor; null: nothing. */
export function noteIn({ subtype, is_error: isError }: SDKResultMessage, { words }: LastAnswer): string | null {
  return subtype === 'success' && !isError && /\S/.test(words) ? words : null
}

function masked(given: unknown, mask: Mask): unknown {
  return JSON.parse(mask(JSON.stringify(given)))
}

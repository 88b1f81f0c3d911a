import { EXCERPT_MAX } from '../limits/limits.ts'
import type { Answer } from '../model/attempt-event.ts'
import type { Finding } from '../model/verdict.ts'
import { excerpt } from '../reading/text.ts'
import { findingsText } from './findings-text.ts'
import { textPlaceholder } from './text-placeholder.ts'

/** An attempt that did not land, as far as the next one has to know of it. */
export interface Failed {
  readonly attempt: string
  /** Phase that it ended in. */
  readonly phase: string
  readonly reason: string
  readonly findings: readonly Finding[]
  /** The digest of what its last session that handed over left; null: nothing. */
  readonly note: string | null
}

/** What the next attempt is told of the one that failed; `answers`: what a person said to attempts before. */
export function retryBrief({ attempt, phase, reason, findings, note }: Failed, answers: readonly Answer[]): string {
  // The files are in a workspace that the next attempt does not have.
  const listed = findingsText(findings.map((one) => ({ ...one, outputFile: null })))
  const parts = [
    `Attempt ${attempt} failed in the phase ${phase}: ${excerpt(reason)}`,
    excerpt(listed, 2 * EXCERPT_MAX),
    answers.length === 0 ? '' : `A person has said to earlier attempts:\n${answers.map(listItem).join('\n')}`,
    note === null
      ? ''
      : `A session of that attempt left this note; see first what of it is still there:\n\n${textPlaceholder(note)}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function listItem({ kind, text }: Answer): string {
  return `- ${kind}: ${text}`
}

import { EXCERPT_MAX } from '../limits/limits.ts'
import type { Answer } from '../model/attempt-event.ts'
import type { Finding } from '../model/verdict.ts'
import { excerpt } from '../reading/text.ts'
import { findingsText } from './findings-text.ts'
import { textPlaceholder } from './text-placeholder.ts'

/** Facts about an attempt that did not land, for the next one. */
export interface FailedAttempt {
  readonly attempt: string
  /** Phase in which it ended. */
  readonly phase: string
  readonly reason: string
  readonly findings: readonly Finding[]
  /** Digest of the last hand-off note, or null. */
  readonly note: string | null
}

/** Describes a failed attempt to the next one, with the user's answers to earlier attempts. */
export function retryBrief(
  { attempt, phase, reason, findings, note }: FailedAttempt,
  answers: readonly Answer[],
): string {
  // The next attempt cannot read the output files: they are in the old workspace.
  const problems = findingsText(findings.map((finding) => ({ ...finding, outputFile: null })))
  const parts = [
    `Attempt ${attempt} failed in the phase ${phase}: ${excerpt(reason)}`,
    excerpt(problems, 2 * EXCERPT_MAX),
    answers.length === 0 ? '' : `A person's answers to earlier attempts:\n${answers.map(listItem).join('\n')}`,
    note === null
      ? ''
      : `A session of that attempt left this note; check first what still applies:\n\n${textPlaceholder(note)}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function listItem({ kind, text }: Answer): string {
  return `- ${kind}: ${text}`
}

import type { Claim } from './round.ts'

/** What an agent says of work, by a tool or in its answer: how its own stands, or what it found in another's. */
export type AgentReport =
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'qa'; readonly qa: QaResult }

/** A form in which an agent can be made to give its last answer. */
export type AnswerForm = 'review' | 'qa'

export const SEVERITIES = ['low', 'medium', 'high'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Something that is wrong with work, as an agent sees it. */
export interface Issue {
  readonly severity: Severity
  /** Where it is, as far as the agent says. */
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}

export const DECISIONS = ['pass', 'fail', 'needs-person'] as const

/** What a reviewer found, and in its last round what it comes to. */
export interface Review {
  readonly issues: readonly Issue[]
  readonly questions: readonly string[]
  readonly positives: readonly string[]
  /** Null: the reviewer has only looked so far. */
  readonly decision: { readonly kind: (typeof DECISIONS)[number]; readonly reason: string } | null
}

/** What an agent that tests has done and found. */
export interface QaResult {
  /** Files of tests that it wrote or changed. */
  readonly tests: readonly string[]
  readonly ran: { readonly passed: number; readonly failed: number; readonly skipped: number } | null
  /** The share of lines covered, where it knows it. */
  readonly coverage: number | null
  readonly documents: readonly string[]
  readonly issues: readonly (Issue & { readonly reproduction: string })[]
}

import type { Claim } from './round.ts'

/** Report of an agent, by tool or in its answer: a claim about its own work, or findings in another agent's work. */
export type AgentReport =
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'qa'; readonly qa: QaResult }

/** Structured form that an agent's last answer can be required to have. */
export type AnswerForm = 'review' | 'qa'

export const SEVERITIES = ['low', 'medium', 'high'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Defect that an agent reports. */
export interface Issue {
  readonly severity: Severity
  /** Place of the defect, as far as the agent names it. */
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}

export const DECISIONS = ['pass', 'fail', 'needs-person'] as const

/** Review result; the decision comes with the last round. */
export interface Review {
  readonly issues: readonly Issue[]
  readonly questions: readonly string[]
  readonly positives: readonly string[]
  /** Decision, or null while the reviewer has only looked. */
  readonly decision: { readonly kind: (typeof DECISIONS)[number]; readonly reason: string } | null
}

/** Result of a QA agent. */
export interface QaResult {
  /** Test files that it wrote or changed. */
  readonly tests: readonly string[]
  readonly ran: { readonly passed: number; readonly failed: number; readonly skipped: number } | null
  /** Share of covered lines, or null when unknown. */
  readonly coverage: number | null
  readonly documents: readonly string[]
  readonly issues: readonly (Issue & { readonly reproduction: string })[]
}

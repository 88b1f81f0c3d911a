/** Executors of a phase: an agent, the gates alone, or a person who approves. */
export const PHASE_BY = ['agent', 'script', 'person'] as const

/** Roles of agents; a role decides the tools, and which of `roles` in the settings applies. */
export const ROLES = ['planner', 'coder', 'tester', 'reviewer', 'qa', 'resolver', 'fixer'] as const
export type Role = (typeof ROLES)[number]

/** Phase of a workflow. */
export interface PhaseSpec {
  readonly name: string
  readonly by: (typeof PHASE_BY)[number]
  readonly role: Role
  /** Overrides for this phase's agent, or null to use those of its role. */
  readonly driver: string | null
  readonly model: string | null
  /** Prompt template, or null for the one named after the phase. */
  readonly prompt: string | null
  /** Gates that must pass before the next phase. */
  readonly gates: 'all' | readonly string[]
  /** Phase that findings send the work back to, or null when they fail the attempt. */
  readonly backTo: string | null
  /** Maximum of rounds, or null for the workflow's own. */
  readonly rounds: number | null
}

/** Spans that one session can serve. */
export const SESSION_SPANS = ['prompt', 'phase', 'attempt'] as const
/** Spans that become one commit. */
export const COMMIT_SPANS = ['attempt', 'phase', 'round'] as const

/** Phases and spans for tasks of one weight. */
export interface Workflow {
  readonly phases: readonly PhaseSpec[]
  readonly session: (typeof SESSION_SPANS)[number]
  readonly commit: (typeof COMMIT_SPANS)[number]
  /** Maximum of rounds per phase. */
  readonly rounds: number
}

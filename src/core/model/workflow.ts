/** Who works in a phase: an agent, the gates alone, or a person who says yes or no. */
export const PHASE_BY = ['agent', 'script', 'person'] as const

/** What an agent is there for; decides its tools, and which of `roles` in the settings applies. */
export const ROLES = ['planner', 'coder', 'tester', 'reviewer', 'qa', 'resolver', 'fixer'] as const
export type Role = (typeof ROLES)[number]

/** One step of a task's way. */
export interface PhaseSpec {
  readonly name: string
  readonly by: (typeof PHASE_BY)[number]
  readonly role: Role
  /** Where this phase's agent differs from its role's; null: it does not. */
  readonly driver: string | null
  readonly model: string | null
  /** The template of its prompt; null: the one of the phase's own name. */
  readonly prompt: string | null
  /** The gates that must pass before the next phase. */
  readonly gates: 'all' | readonly string[]
  /** Where findings send the work; null: they fail the attempt. */
  readonly backTo: string | null
  /** Rounds at most; null: as many as the workflow gives each phase. */
  readonly rounds: number | null
}

/** Where a conversation goes on: within what one prompt asks for, a phase, or the whole attempt. */
export const SESSION_SPANS = ['prompt', 'phase', 'attempt'] as const
/** What becomes one commit. */
export const COMMIT_SPANS = ['attempt', 'phase', 'round'] as const

/** How a task of one weight is worked on. */
export interface Workflow {
  readonly phases: readonly PhaseSpec[]
  readonly session: (typeof SESSION_SPANS)[number]
  readonly commit: (typeof COMMIT_SPANS)[number]
  /** Rounds per phase at most. */
  readonly rounds: number
}

/** What a judge thinks of work, each from 0 to 1. */
export interface Quality {
  readonly syntax: number
  readonly requirements: number
  readonly quality: number
  readonly testing: number
}

export const QUALITIES = ['syntax', 'requirements', 'quality', 'testing'] as const satisfies readonly (keyof Quality)[]

/** A judge's opinion of one commit. */
export interface Opinion {
  readonly quality: Quality
  /** How sure it is, from 0 to 1. */
  readonly confidence: number
  /** What would have to change. */
  readonly findings: readonly string[]
  readonly why: string
}

/** What follows an opinion: the next phase, a question to a person, the work again, a person's hand. */
export type OpinionDecision = 'proceed' | 'clarify' | 'retry' | 'escalate'

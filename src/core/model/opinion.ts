/** Scores of a judge for work, each from 0 to 1. */
export interface Quality {
  readonly syntax: number
  readonly requirements: number
  readonly quality: number
  readonly testing: number
}

export const QUALITIES = ['syntax', 'requirements', 'quality', 'testing'] as const satisfies readonly (keyof Quality)[]

/** Opinion of a judge on one commit. */
export interface Opinion {
  readonly quality: Quality
  /** Confidence of the judge, from 0 to 1. */
  readonly confidence: number
  /** Changes that the judge requests. */
  readonly findings: readonly string[]
  readonly why: string
}

/** Consequence of an opinion: the next phase, approval by a person, rework, or action by a person. */
export type OpinionDecision = 'proceed' | 'clarify' | 'retry' | 'escalate'

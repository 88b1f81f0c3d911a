import type { Standing } from './state.ts'

/** Returns the predicate for a task in this state: "is running", "needs a person". */
export function standingText(standing: Standing): string {
  return PREDICATES[standing] ?? `is ${standing}`
}

const PREDICATES: Readonly<Partial<Record<Standing, string>>> = {
  'needs-person': 'needs a person',
  failed: 'has failed',
  skipped: 'was skipped',
  reverted: 'was reverted',
}

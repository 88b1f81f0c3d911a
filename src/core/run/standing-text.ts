import type { Standing } from './state.ts'

/** What is said of a task in this state: "is running", "needs a person". */
export function standingText(standing: Standing): string {
  return SAID[standing] ?? `is ${standing}`
}

const SAID: Readonly<Partial<Record<Standing, string>>> = {
  'needs-person': 'needs a person',
  failed: 'has failed',
  skipped: 'was skipped',
}

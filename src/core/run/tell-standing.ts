import type { Standing } from './state.ts'

/** What is said of a task in this state: "is running", "needs a person". */
export function tellStanding(standing: Standing): string {
  return standing === 'needs-person' ? 'needs a person' : `is ${standing}`
}

import { onTestFinished } from 'vitest'
import { type Journey, openJourney, SETTINGS } from './journey.ts'

export { type CommandResult, type Journey, jsonLines, SETTINGS, taskFile, WITHOUT_REVIEWS, WRITES } from './journey.ts'

/** Default settings with one attempt per task. */
export const ONE_ATTEMPT = SETTINGS.replace('limits: {', 'limits: { attempts: 1,')

/** Creates a repository with one commit on main; it is removed after the test. */
export function newJourney(...options: Parameters<typeof openJourney>): Journey {
  const journey = openJourney(...options)
  onTestFinished(() => journey.end())
  return journey
}

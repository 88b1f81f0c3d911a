import { onTestFinished } from 'vitest'
import { type Journey, openJourney, SETTINGS } from './journey.ts'

export { type Journey, jsonLines, type Ran, SETTINGS, SHORT_WAY, taskFile, WRITES } from './journey.ts'

/** The same settings, with one attempt per task. */
export const ONE_TRY = SETTINGS.replace('limits: {', 'limits: { attempts: 1,')

/** Makes a repository with one commit on main; gone with the test. */
export function newJourney(...how: Parameters<typeof openJourney>): Journey {
  const journey = openJourney(...how)
  onTestFinished(() => journey.end())
  return journey
}

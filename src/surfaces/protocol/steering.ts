import { z } from 'zod'

/** What `longhaul pause --json` and `longhaul resume --json` print. */
export const pauseSchema = z.strictObject({
  run: z.string(),
  isPaused: z.boolean(),
  /** false: it was so before. */
  isChanged: z.boolean(),
  /** Whether an engine is running, which heard of it. */
  byEngine: z.boolean(),
})

/** What `longhaul skip --json` prints. */
export const skipSchema = z.strictObject({
  skipped: z.string(),
  /** The tasks that go on without its work. */
  dependents: z.array(z.string()),
  byEngine: z.boolean(),
})

/** What `longhaul approve --json`, `reject --json` and `answer --json` print. */
export const answerSchema = z.strictObject({
  task: z.string(),
  answer: z.enum(['approved', 'rejected', 'answered']),
  text: z.string(),
  byEngine: z.boolean(),
})

/** What `longhaul steer --json` prints. */
export const steerSchema = z.strictObject({
  steered: z.string(),
  /** How often something has been said about this task, this time included. */
  number: z.int().min(1),
  /** Whether an attempt is under way, which is told. */
  isLive: z.boolean(),
  byEngine: z.boolean(),
})

import type { ShownActivity } from '../../src/core/model/activity.ts'
import type { AttemptEvent } from '../../src/core/model/attempt-event.ts'
import type { AttemptId } from '../../src/core/model/ids.ts'
import type { RunEvent } from '../../src/core/model/run-event.ts'
import { evolveRun } from '../../src/core/run/evolve.ts'
import { newRun } from '../../src/core/run/state.ts'
import { type LiveModel, type LiveSources, liveModel } from '../../src/core/views/live/live-model.ts'
import { evolvePace, newPace } from '../../src/core/views/live/pace.ts'
import { given as givenAttempt } from './given-attempt.ts'
import { AT } from './given-run.ts'

/** Facts of a run, with their seconds after the first one. */
export type Timed = readonly [seconds: number, ...events: readonly RunEvent[]]

/** Returns the sources of a live view after these facts. */
export function givenLive(
  facts: readonly Timed[],
  { seconds = 0, attempts = {}, activities = [], isDriven = true }: LiveGiven = {},
): LiveSources {
  const [run, pace] = [newRun(), newPace()]
  for (const [after, ...events] of facts) {
    for (const event of events) {
      evolveRun(run, event, AT + after * 1000)
      evolvePace(pace, event, AT + after * 1000, run)
    }
  }
  const followed = Object.entries(attempts).map(
    ([id, events]) => [id as AttemptId, { state: givenAttempt(...events), since: AT }] as const,
  )
  const formatTime = (at: number) => new Date(at).toISOString().slice(11, 19)
  return {
    run,
    pace,
    isDriven,
    formatTime,
    attempts: new Map(followed),
    at: AT + seconds * 1000,
    activities: new Map(activities.map((shown) => [shown.attempt, shown])),
  }
}

export interface LiveGiven {
  readonly seconds?: number
  readonly attempts?: Readonly<Record<string, readonly AttemptEvent[]>>
  readonly activities?: readonly ShownActivity[]
  readonly isDriven?: boolean
}

export function givenModel(...given: Parameters<typeof givenLive>): LiveModel {
  return liveModel(givenLive(...given))
}

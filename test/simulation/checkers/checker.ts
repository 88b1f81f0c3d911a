import type { AttemptEvent } from '../../../src/core/model/attempt-event.ts'
import type { RunEvent } from '../../../src/core/model/run-event.ts'
import type { Playthrough } from '../world/play.ts'

/** Inspects a finished simulation and returns the faults in it. */
export type Checker = (playthrough: Playthrough) => readonly string[] | Promise<readonly string[]>

/** Returns the run's events in order. */
export function runEvents({ world }: Playthrough): readonly RunEvent[] {
  return world.trace.appends.flatMap(({ ledger, events }) => (ledger.startsWith('run/') ? (events as RunEvent[]) : []))
}

/** Returns the events of all attempts in order, each with its ledger. */
export function attemptEvents({
  world,
}: Playthrough): readonly { readonly ledger: string; readonly event: AttemptEvent }[] {
  return world.trace.appends.flatMap(({ ledger, events }) =>
    ledger.startsWith('attempt/') ? (events as AttemptEvent[]).map((event) => ({ ledger, event })) : [],
  )
}

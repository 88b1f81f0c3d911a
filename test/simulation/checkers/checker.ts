import type { AttemptEvent } from '../../../src/core/model/attempt-event.ts'
import type { RunEvent } from '../../../src/core/model/run-event.ts'
import type { Played } from '../world/play.ts'

/** Looks at a world that has been played and says what should not be so. */
export type Checker = (played: Played) => readonly string[] | Promise<readonly string[]>

/** The run's facts in order. */
export function runEvents({ world }: Played): readonly RunEvent[] {
  return world.trace.appends.flatMap(({ ledger, events }) => (ledger.startsWith('run/') ? (events as RunEvent[]) : []))
}

/** All attempts' facts in order, with the ledger they are in. */
export function attemptEvents({ world }: Played): readonly { readonly ledger: string; readonly event: AttemptEvent }[] {
  return world.trace.appends.flatMap(({ ledger, events }) =>
    ledger.startsWith('attempt/') ? (events as AttemptEvent[]).map((event) => ({ ledger, event })) : [],
  )
}

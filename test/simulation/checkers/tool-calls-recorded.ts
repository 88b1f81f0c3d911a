import type { AttemptEvent } from '../../../src/core/model/attempt-event.ts'
import type { Playthrough } from '../world/play.ts'
import { attemptEvents, type Checker, runEvents } from './checker.ts'

/** Every acknowledged tool call is recorded in its attempt's ledger, and the run takes it over at most once. */
export const toolCallsRecorded: Checker = (playthrough) => {
  const events = attemptEvents(playthrough)
  const lost = playthrough.world.trace.calls.flatMap(({ attempt, round, call }) => {
    const kind = EVENT_OF[call.kind]
    const isKept = events.some(
      ({ ledger, event }) => ledger === `attempt/${attempt}` && event.kind === kind && event.round === round,
    )
    return isKept ? [] : [`"${call.kind}" of ${attempt}, round ${round}, was acknowledged but not recorded`]
  })
  return [...lost, ...takenOverTwice(playthrough)]
}

type ToolEventKind = Extract<AttemptEvent['kind'], 'work-reported' | 'knowledge-recorded' | 'task-proposed'>

const EVENT_OF: Readonly<Record<string, ToolEventKind>> = {
  report: 'work-reported',
  review: 'work-reported',
  qa: 'work-reported',
  learn: 'knowledge-recorded',
  propose: 'task-proposed',
}

function takenOverTwice(playthrough: Playthrough): readonly string[] {
  const seen = new Set<string>()
  return runEvents(playthrough).flatMap((event) => {
    if (event.kind !== 'knowledge-recorded' && event.kind !== 'task-proposed') return []
    const name = `fact ${event.seq} of ${event.attempt}`
    if (seen.has(name)) return [`the run took ${name} over twice`]
    seen.add(name)
    return []
  })
}

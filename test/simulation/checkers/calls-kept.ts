import type { AttemptEvent } from '../../../src/core/model/attempt-event.ts'
import type { Played } from '../world/play.ts'
import { attemptEvents, type Checker, runEvents } from './checker.ts'

/** What an agent was told is recorded is a fact of its attempt, and what is for others one of the run, once each. */
export const callsKept: Checker = (played) => {
  const facts = attemptEvents(played)
  const lost = played.world.trace.calls.flatMap(({ attempt, round, call }) => {
    const wanted = FACT_OF[call.kind]
    const isKept = facts.some(
      ({ ledger, event }) => ledger === `attempt/${attempt}` && event.kind === wanted && event.round === round,
    )
    return isKept ? [] : [`"${call.kind}" of ${attempt}, round ${round}, was said to be recorded and is not`]
  })
  return [...lost, ...takenOverTwice(played)]
}

type ToolFactKind = Extract<AttemptEvent['kind'], 'work-reported' | 'knowledge-recorded' | 'task-proposed'>

const FACT_OF: Readonly<Record<string, ToolFactKind>> = {
  report: 'work-reported',
  review: 'work-reported',
  qa: 'work-reported',
  learn: 'knowledge-recorded',
  propose: 'task-proposed',
}

function takenOverTwice(played: Played): readonly string[] {
  const seen = new Set<string>()
  return runEvents(played).flatMap((event) => {
    if (event.kind !== 'knowledge-recorded' && event.kind !== 'task-proposed') return []
    const name = `fact ${event.seq} of ${event.attempt}`
    if (seen.has(name)) return [`the run took ${name} over twice`]
    seen.add(name)
    return []
  })
}

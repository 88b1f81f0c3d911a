import type { RoundEnd } from '../../src/core/model/round.ts'
import type { AgentEvent, AgentRound } from '../../src/ports/agent-driver.ts'

/** Collects all events of a round. */
export async function collectEvents(round: AgentRound): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of round.events) events.push(event)
  return events
}

/** Returns how the round with these events ended, or null when it has not. */
export function endIn(events: readonly AgentEvent[] | 'not yet'): RoundEnd | null {
  const last = events === 'not yet' ? undefined : events.at(-1)
  return last?.kind === 'ended' ? last.end : null
}

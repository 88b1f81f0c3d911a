import type { RoundEnd } from '../../src/core/model/round.ts'
import type { AgentEvent, AgentRound } from '../../src/ports/agent-driver.ts'

/** Listens to a round until it is over. */
export async function all(round: AgentRound): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of round.events) events.push(event)
  return events
}

/** How a round ended whose events these are; null when it has not. */
export function endIn(events: readonly AgentEvent[] | 'not yet'): RoundEnd | null {
  const last = events === 'not yet' ? undefined : events.at(-1)
  return last?.kind === 'ended' ? last.end : null
}

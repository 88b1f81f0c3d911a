import type { AttemptEvent } from '../model/attempt-event.ts'
import type { RoundEnd } from '../model/round.ts'
import type { AttemptState } from './state.ts'

/** What goes to the agent with the prompt of a round: everything it has not been told yet. */
export function givenWithRound({ steering }: AttemptState, round: number): readonly AttemptEvent[] {
  const unsaid = steering.filter(({ givenIn }) => givenIn === null)
  return unsaid.map(({ number }): AttemptEvent => ({ kind: 'steering-given', number, round, way: 'prompt' }))
}

/** Takes note of where a person's words have gone. */
export function giveSteering({ steering }: AttemptState, number: number, round: number): void {
  const item = steering.find((one) => one.number === number)
  if (item !== undefined) item.givenIn = round
}

/** What came with a round that ended before the model answered may not have been heard: it is said again, with a remark. */
export function weighSteering({ steering, rounds, roundTurns }: AttemptState, end: RoundEnd['kind']): void {
  const isHeard = end === 'ok' || roundTurns > 0
  for (const item of steering) {
    if (item.givenIn !== rounds) continue
    item.isDoubtful = !isHeard
    if (!isHeard) item.givenIn = null
  }
}

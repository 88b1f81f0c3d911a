import type { AttemptEvent } from '../model/attempt-event.ts'
import type { AttemptEffect } from '../model/effect.ts'
import type { RoundEnd } from '../model/round.ts'
import { type Steering, steeringText } from '../prompts/steering.ts'
import { type AttemptState, specOf } from './state.ts'

/** What goes to the agent with the prompt of a round: everything it has not been told yet. */
export function steeringForRound({ steering }: AttemptState, round: number): readonly AttemptEvent[] {
  const unsaid = steering.filter(({ deliveredIn }) => deliveredIn === null)
  return unsaid.map(({ number }): AttemptEvent => ({ kind: 'steering-delivered', number, round, way: 'prompt' }))
}

/** What is to be said into the session of the round that is going on. */
export function steeringEffectsDue(state: AttemptState, round: number): readonly AttemptEffect[] {
  const { attempt } = specOf(state)
  return state.steering
    .filter((item) => isUnsaidIn(item, round))
    .map((item): AttemptEffect => {
      const base = { id: `steering:${round}:${item.number}`, class: 'once' as const, room: 'steering', saves: false }
      return { ...base, kind: 'deliver-steering', attempt, round, number: item.number, text: steeringText([item]) }
    })
}

/** What follows from the agent's having taken a person's words, or not. */
export function afterSteeringResult(
  { steering, doing }: AttemptState,
  number: number,
  round: number,
  isAccepted: boolean,
): readonly AttemptEvent[] {
  const item = steering.find((one) => one.number === number)
  if (item === undefined || !isUnsaidIn(item, round)) return []
  if (isAccepted) return [{ kind: 'steering-delivered', number, round, way: 'session' }]
  if (doing.kind !== 'round' || doing.round !== round) return []
  return [{ kind: 'steering-deferred', number, round, reason: 'this agent takes no words while it works' }]
}

/** Takes note of where a person's words have gone. */
export function evolveSteering(
  { steering, roundTurns }: AttemptState,
  event: Extract<AttemptEvent, { kind: 'steering-delivered' | 'steering-deferred' }>,
): void {
  const item = steering.find((one) => one.number === event.number)
  if (item === undefined) return
  if (event.kind === 'steering-deferred') item.deferredIn = event.round
  else Object.assign(item, { deliveredIn: event.round, turnsBefore: roundTurns })
}

/** What a round that ended before the model answered may not have heard is said again, with a remark. */
export function requeueSteering({ steering, rounds, roundTurns }: AttemptState, end: RoundEnd['kind']): void {
  for (const item of steering) {
    if (item.deliveredIn === rounds) {
      item.mayBeDelivered = end !== 'ok' && roundTurns <= item.turnsBefore
      if (item.mayBeDelivered) item.deliveredIn = null
    } else if (end === 'lost' && isUnsaidIn(item, rounds)) item.mayBeDelivered = true
  }
}

function isUnsaidIn({ deliveredIn, deferredIn }: Steering, round: number): boolean {
  return deliveredIn === null && deferredIn !== round
}

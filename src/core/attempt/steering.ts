import type { AttemptEvent } from '../model/attempt-event.ts'
import type { AttemptEffect } from '../model/effect.ts'
import type { RoundEnd } from '../model/round.ts'
import { type Steering, steeringText } from '../prompts/steering.ts'
import { type AttemptState, specOf } from './state.ts'

/** Returns the deliveries with a round's prompt: all words that the agent has not had yet. */
export function steeringForRound({ steering }: AttemptState, round: number): readonly AttemptEvent[] {
  const undelivered = steering.filter(({ deliveredIn }) => deliveredIn === null)
  return undelivered.map(({ number }): AttemptEvent => ({ kind: 'steering-delivered', number, round, way: 'prompt' }))
}

/** Returns the effects that put words into the session of the running round. */
export function steeringEffectsDue(state: AttemptState, round: number): readonly AttemptEffect[] {
  const { attempt } = specOf(state)
  return state.steering
    .filter((item) => isUndeliveredIn(item, round))
    .map((item): AttemptEffect => {
      const base = { id: `steering:${round}:${item.number}`, class: 'once' as const, room: 'steering', saves: false }
      return { ...base, kind: 'deliver-steering', attempt, round, number: item.number, text: steeringText([item]) }
    })
}

/** Decides what follows when the agent accepted a person's words, or did not. */
export function afterSteeringResult(
  { steering, doing }: AttemptState,
  number: number,
  round: number,
  isAccepted: boolean,
): readonly AttemptEvent[] {
  const item = steering.find((one) => one.number === number)
  if (item === undefined || !isUndeliveredIn(item, round)) return []
  if (isAccepted) return [{ kind: 'steering-delivered', number, round, way: 'session' }]
  if (doing.kind !== 'round' || doing.round !== round) return []
  return [{ kind: 'steering-deferred', number, round, reason: 'this agent accepts no input while it works' }]
}

/** Applies a delivery or deferral to the state. */
export function evolveSteering(
  { steering, roundTurns }: AttemptState,
  event: Extract<AttemptEvent, { kind: 'steering-delivered' | 'steering-deferred' }>,
): void {
  const item = steering.find((one) => one.number === event.number)
  if (item === undefined) return
  if (event.kind === 'steering-deferred') item.deferredIn = event.round
  else Object.assign(item, { deliveredIn: event.round, turnsBefore: roundTurns })
}

/** Queues words again, with a remark, when the round ended before the model answered them. */
export function requeueSteering({ steering, rounds, roundTurns }: AttemptState, end: RoundEnd['kind']): void {
  for (const item of steering) {
    if (item.deliveredIn === rounds) {
      item.mayBeDelivered = end !== 'ok' && roundTurns <= item.turnsBefore
      if (item.mayBeDelivered) item.deliveredIn = null
    } else if (end === 'lost' && isUndeliveredIn(item, rounds)) item.mayBeDelivered = true
  }
}

function isUndeliveredIn({ deliveredIn, deferredIn }: Steering, round: number): boolean {
  return deliveredIn === null && deferredIn !== round
}

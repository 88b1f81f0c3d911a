import { describe, expect, test } from 'vitest'
import {
  checkpointed,
  given,
  opened,
  reported,
  roundEnded,
  roundStarted,
  settled,
  when,
} from '../../../test/given/given-attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { RoundEndKind } from '../model/round.ts'
import { attemptEffectsDue } from './effects-due.ts'
import type { AttemptState } from './state.ts'

const STEERED: AttemptEvent = {
  kind: 'message-received',
  id: 's1',
  message: { kind: 'steer', number: 1, text: 'use tabs' },
}
const DELIVERED: AttemptEvent = { kind: 'steering-delivered', number: 1, round: 1, way: 'prompt' }
const PAUSE: AttemptEvent = { kind: 'message-received', id: 'p1', message: { kind: 'pause', reason: 'asked for' } }
const RESUME: AttemptEvent = {
  kind: 'message-received',
  id: 'r2',
  message: { kind: 'resume', stretch: 2, why: 'the run is resumed' },
}
const SAVED: AttemptEvent = { kind: 'checkpoint-made', ...checkpointed(1) }

function promptsOf(state: AttemptState): { readonly prompt: string; readonly opening: string } {
  const [effect] = attemptEffectsDue(state)
  if (effect?.kind !== 'run-round') throw new Error('no round is due')
  return effect.round
}

describe('a pause', () => {
  test('lets the round finish and starts no other', () => {
    const state = given(...opened(), roundStarted(1), PAUSE)
    expect(attemptEffectsDue(state)).toMatchObject([{ kind: 'run-round' }])
    const after = given(...opened(), roundStarted(1), PAUSE, roundEnded(1, 'truncated'), SAVED)
    expect(settled(after)).toEqual([{ kind: 'attempt-waiting', for: { kind: 'pause' }, reason: 'the run is paused' }])
  })

  test('still checks work that the agent claims is done', () => {
    const state = given(...opened(), roundStarted(1), PAUSE, roundEnded(1, 'ok', { claim: { kind: 'done' } }))
    expect(reported(state, 'checkpoint:1', { kind: 'checkpointed', ...checkpointed(1) })).toMatchObject([
      { kind: 'checkpoint-made' },
      { kind: 'phase-entered', phase: 'verify' },
    ])
  })

  test('ends with a resume message, where it stopped', () => {
    const waiting: AttemptEvent = { kind: 'attempt-waiting', for: { kind: 'pause' }, reason: 'the run is paused' }
    const state = given(...opened(), roundStarted(1), PAUSE, roundEnded(1, 'truncated'), SAVED, waiting, RESUME)
    expect(settled(state)).toMatchObject([{ kind: 'round-started', round: 2, cause: { kind: 'continue' } }])
  })
})

describe('steering', () => {
  test('goes with the prompt of the next round, and is recorded with it', () => {
    const state = given(...opened(), STEERED)
    expect(settled(state)).toMatchObject([{ kind: 'round-started', round: 1 }, DELIVERED])
    expect(promptsOf(given(...opened(), STEERED, roundStarted(1), DELIVERED)).opening).toMatch(/work:\n\nuse tabs$/)
  })

  test('goes into the session of a running round, and is recorded once the agent accepted it', () => {
    const state = given(...opened(), roundStarted(1), STEERED)
    expect(promptsOf(state).opening).not.toContain('use tabs')
    expect(attemptEffectsDue(state)[1]).toMatchObject({
      id: 'steering:1:1',
      kind: 'deliver-steering',
      class: 'once',
      room: 'steering',
      text: 'Message from the person who supervises this work:\n\nuse tabs',
    })
    const inSession = { ...DELIVERED, way: 'session' }
    expect(when(state, { kind: 'steering-result', number: 1, round: 1, isAccepted: true })).toEqual([inSession])
    const taken = given(...opened(), roundStarted(1), STEERED, inSession as AttemptEvent)
    expect(attemptEffectsDue(taken)).toHaveLength(1)
    expect(when(taken, { kind: 'steering-result', number: 1, round: 1, isAccepted: true })).toEqual([])
  })

  test('waits for the next round when the agent accepts no input while it works', () => {
    const state = given(...opened(), roundStarted(1), STEERED)
    const [kept] = when(state, { kind: 'steering-result', number: 1, round: 1, isAccepted: false })
    expect(kept).toMatchObject({ kind: 'steering-deferred', number: 1, round: 1 })
    const after = given(...opened(), roundStarted(1), STEERED, kept as AttemptEvent)
    expect(attemptEffectsDue(after)).toHaveLength(1)
    const later = [roundEnded(1, 'truncated'), SAVED]
    expect(settled(given(...opened(), roundStarted(1), STEERED, kept as AttemptEvent, ...later))).toMatchObject([
      { kind: 'round-started', round: 2 },
      { ...DELIVERED, round: 2 },
    ])
  })

  test('is repeated, with a remark, when the engine died before the result was known', () => {
    const lost = [roundStarted(1), STEERED, roundEnded(1, 'lost'), SAVED]
    const again = given(...opened(), ...lost, roundStarted(2, { kind: 'lost' }), {
      ...DELIVERED,
      round: 2,
    } as AttemptEvent)
    expect(promptsOf(again).prompt).toMatch(/use tabs\n\(You may have received this message before/)
  })

  test('goes to each session once', () => {
    const rounds = [STEERED, roundStarted(1), DELIVERED, roundEnded(1, 'ok'), SAVED, roundStarted(2, { kind: 'lost' })]
    const { prompt, opening } = promptsOf(given(...opened(), ...rounds))
    expect(prompt).not.toContain('use tabs')
    expect(opening).toMatch(/work:\n\nuse tabs$/)
  })

  test.each<RoundEndKind>(['lost', 'crashed', 'rate-limited'])(
    'is repeated, with a remark, after a round that was %s before the model answered',
    (kind) => {
      const rounds = [STEERED, roundStarted(1), DELIVERED, roundEnded(1, kind), SAVED]
      const again = given(...opened(), ...rounds, roundStarted(2, { kind: 'lost' }), {
        ...DELIVERED,
        round: 2,
      } as AttemptEvent)
      expect(promptsOf(again).prompt).toMatch(/use tabs\n\(You may have received this message before/)
    },
  )

  test('is received once, however often it is sent', () => {
    const { id, message } = STEERED as Extract<AttemptEvent, { kind: 'message-received' }>
    expect(when(given(...opened(), STEERED), { kind: 'message', id, message })).toEqual([])
  })
})

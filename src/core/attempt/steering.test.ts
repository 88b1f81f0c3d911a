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

const SAID: AttemptEvent = {
  kind: 'message-received',
  id: 's1',
  message: { kind: 'steer', number: 1, text: 'use tabs' },
}
const GIVEN: AttemptEvent = { kind: 'steering-delivered', number: 1, round: 1, way: 'prompt' }
const PAUSE: AttemptEvent = { kind: 'message-received', id: 'p1', message: { kind: 'pause', reason: 'asked for' } }
const RESUME: AttemptEvent = {
  kind: 'message-received',
  id: 'r2',
  message: { kind: 'resume', stretch: 2, why: 'the run goes on' },
}
const SAVED: AttemptEvent = { kind: 'checkpoint-made', ...checkpointed(1) }

function promptsOf(state: AttemptState): { readonly prompt: string; readonly opening: string } {
  const [effect] = attemptEffectsDue(state)
  if (effect?.kind !== 'run-round') throw new Error('no round is due')
  return effect.round
}

describe('a pause', () => {
  test('lets the round go on, and begins no other', () => {
    const state = given(...opened(), roundStarted(1), PAUSE)
    expect(attemptEffectsDue(state)).toMatchObject([{ kind: 'run-round' }])
    const after = given(...opened(), roundStarted(1), PAUSE, roundEnded(1, 'truncated'), SAVED)
    expect(settled(after)).toEqual([{ kind: 'attempt-waiting', for: { kind: 'pause' }, reason: 'the run is paused' }])
  })

  test('still checks work that the agent says is done', () => {
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

describe('what a person says', () => {
  test('goes with the prompt of the next round, and is recorded with it', () => {
    const state = given(...opened(), SAID)
    expect(settled(state)).toMatchObject([{ kind: 'round-started', round: 1 }, GIVEN])
    expect(promptsOf(given(...opened(), SAID, roundStarted(1), GIVEN)).opening).toMatch(/work:\n\nuse tabs$/)
  })

  test('while a round is going on is said into its session, and recorded once the agent took it', () => {
    const state = given(...opened(), roundStarted(1), SAID)
    expect(promptsOf(state).opening).not.toContain('use tabs')
    expect(attemptEffectsDue(state)[1]).toMatchObject({
      id: 'steering:1:1',
      kind: 'deliver-steering',
      class: 'once',
      room: 'steering',
      text: 'Message from the person who supervises this work:\n\nuse tabs',
    })
    const inSession = { ...GIVEN, way: 'session' }
    expect(when(state, { kind: 'steering-result', number: 1, round: 1, isAccepted: true })).toEqual([inSession])
    const taken = given(...opened(), roundStarted(1), SAID, inSession as AttemptEvent)
    expect(attemptEffectsDue(taken)).toHaveLength(1)
    expect(when(taken, { kind: 'steering-result', number: 1, round: 1, isAccepted: true })).toEqual([])
  })

  test('waits for the next round when the agent takes no words while it works', () => {
    const state = given(...opened(), roundStarted(1), SAID)
    const [kept] = when(state, { kind: 'steering-result', number: 1, round: 1, isAccepted: false })
    expect(kept).toMatchObject({ kind: 'steering-deferred', number: 1, round: 1 })
    const after = given(...opened(), roundStarted(1), SAID, kept as AttemptEvent)
    expect(attemptEffectsDue(after)).toHaveLength(1)
    const later = [roundEnded(1, 'truncated'), SAVED]
    expect(settled(given(...opened(), roundStarted(1), SAID, kept as AttemptEvent, ...later))).toMatchObject([
      { kind: 'round-started', round: 2 },
      { ...GIVEN, round: 2 },
    ])
  })

  test('is said again, with a remark, when the engine died before it could know', () => {
    const lost = [roundStarted(1), SAID, roundEnded(1, 'lost'), SAVED]
    const again = given(...opened(), ...lost, roundStarted(2, { kind: 'lost' }), { ...GIVEN, round: 2 } as AttemptEvent)
    expect(promptsOf(again).prompt).toMatch(/use tabs\n\(You may have received this message before/)
  })

  test('is heard once by a session, and again by a fresh one', () => {
    const rounds = [SAID, roundStarted(1), GIVEN, roundEnded(1, 'ok'), SAVED, roundStarted(2, { kind: 'lost' })]
    const { prompt, opening } = promptsOf(given(...opened(), ...rounds))
    expect(prompt).not.toContain('use tabs')
    expect(opening).toMatch(/work:\n\nuse tabs$/)
  })

  test.each<RoundEndKind>(['lost', 'crashed', 'rate-limited'])(
    'is said again, with a remark, after a round that was %s before the model answered',
    (kind) => {
      const rounds = [SAID, roundStarted(1), GIVEN, roundEnded(1, kind), SAVED]
      const again = given(...opened(), ...rounds, roundStarted(2, { kind: 'lost' }), {
        ...GIVEN,
        round: 2,
      } as AttemptEvent)
      expect(promptsOf(again).prompt).toMatch(/use tabs\n\(You may have received this message before/)
    },
  )

  test('is received once, however often it is sent', () => {
    const { id, message } = SAID as Extract<AttemptEvent, { kind: 'message-received' }>
    expect(when(given(...opened(), SAID), { kind: 'message', id, message })).toEqual([])
  })
})

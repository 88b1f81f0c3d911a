import { describe, expect, test } from 'vitest'
import {
  checkpointed,
  end,
  given,
  opened,
  reported,
  roundEnded,
  roundStarted,
  SESSION,
  settled,
  spec,
  when,
} from '../../../test/given/given-attempt.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { SessionId } from '../model/ids.ts'
import type { UsageReport } from '../model/round.ts'
import { NO_TOTALS } from '../model/usage.ts'
import { attemptEffectsDue } from './effects-due.ts'

const OPENED: AttemptEvent = {
  kind: 'session-opened',
  session: SESSION,
  driver: 'scripted',
  model: 'scripted',
  cli: null,
}

function used(tokens: number, more: Partial<UsageReport> = {}): UsageReport {
  return {
    session: SESSION,
    message: `m${tokens}`,
    model: 'scripted',
    scope: 'main',
    hourCacheWrite: 0,
    window: 200_000,
    tokens: { input: 0, cacheRead: tokens, cacheWrite: 0, output: 10 },
    ...more,
  }
}

/** Returns the facts of an attempt whose session made these calls. */
function filledBy(calls: readonly number[], changes: Partial<AttemptSpec> = {}): readonly AttemptEvent[] {
  const facts = [...opened(changes), roundStarted(1), OPENED]
  for (const call of calls) facts.push(...when(given(...facts), { kind: 'usage', usage: used(call) }))
  return facts
}

function contextKinds(facts: readonly AttemptEvent[]): readonly string[] {
  return facts.slice(5).flatMap((fact) => {
    if (fact.kind === 'usage-observed') return []
    return fact.kind === 'hand-off-started' ? [`${fact.kind} ${fact.when}`] : [fact.kind]
  })
}

describe('a session that fills up', () => {
  test.each([
    ['is left alone', [100_000], []],
    ['is warned of once', [140_000, 150_000], ['context-warned']],
    ['hands over once', [140_000, 161_000, 165_000], ['context-warned', 'hand-off-started boundary']],
    ['is interrupted when it gets critical', [161_000, 191_000], ['hand-off-started boundary', 'hand-off-started now']],
    ['is interrupted once', [195_000, 165_000, 196_000], ['hand-off-started now']],
  ])('%s: %j', (_what, calls, facts) => {
    expect(contextKinds(filledBy(calls))).toEqual(facts)
  })

  test.each([
    ['above 1, the threshold switches it off', { context: { ...spec().context, handOff: 2 } }],
    ['the agent compacts by itself', { context: { ...spec().context, policy: 'compact' as const } }],
    ['no hand-off is left', { bounds: { ...spec().bounds, handOffsMax: 0 } }],
  ])('only warns where %s', (_why, changes) => {
    expect(contextKinds(filledBy([199_000], changes))).toEqual(['context-warned'])
  })

  test('is not filled by subagents or by another session', () => {
    const state = given(...filledBy([]))
    expect(when(state, { kind: 'usage', usage: used(199_000, { scope: 'subagent' }) })).toHaveLength(1)
    expect(when(state, { kind: 'usage', usage: used(199_000, { session: 'other' as SessionId }) })).toHaveLength(1)
  })

  test('has to hand over during its round, and gets some turns for it', () => {
    const facts = filledBy([161_000])
    const state = given(...facts)
    state.roundTurns = 10
    expect(attemptEffectsDue(state)).toMatchObject([
      { kind: 'run-round' },
      { kind: 'hand-over', id: 'hand-over:1:boundary', room: 'hand-over', class: 'repeatable', when: 'boundary' },
    ])
    expect(when(state, { kind: 'usage', usage: used(162_000) })).toHaveLength(1)
    expect(attemptEffectsDue(given(...facts, roundEnded(1, 'context-exhausted')))).toMatchObject([
      { kind: 'checkpoint', includesHistory: true },
    ])
  })
})

describe('a session that has handed over', () => {
  const NOTED = { kind: 'round-ended', end: end('context-exhausted', { note: 'text' }) } as const
  const facts = filledBy([161_000])
  const over = reported(given(...facts), 'round:1', { ...NOTED, note: { digest: 'n1', quality: 'whole' }, words: null })

  test('leaves the digest of its note and its usage', () => {
    expect(over).toEqual([
      { ...roundEnded(1, 'context-exhausted'), usd: expect.any(Number), totals: expect.objectContaining({ turns: 1 }) },
      {
        kind: 'session-handed-off',
        session: SESSION,
        note: 'n1',
        quality: 'whole',
        totals: expect.objectContaining({ turns: 1 }),
      },
    ])
  })

  test('leaves nothing when the request for a note failed', () => {
    const [, left] = reported(given(...facts), 'round:1', { ...NOTED, note: null, words: null })
    expect(left).toMatchObject({ kind: 'session-handed-off', note: null, quality: 'none' })
  })

  test('is followed by a fresh one that gets the whole brief, the note and the facts', () => {
    const saved = { kind: 'checkpoint-made' as const, ...checkpointed(1), history: 'h1' }
    const facts2 = [...facts, ...over, saved]
    const [started] = settled(given(...facts2))
    const state = given(...facts2, started as AttemptEvent)
    expect(started).toMatchObject({ kind: 'round-started', round: 2, cause: { kind: 'fresh-session' } })
    expect(state.sessions.map(({ standing, rounds }) => [standing, rounds])).toEqual([
      ['handed-off', 1],
      ['active', 1],
    ])
    const [due] = attemptEffectsDue(state)
    const round = due?.kind === 'run-round' ? due.round : null
    expect(round).toMatchObject({ sessionKnown: false, texts: ['n1', 'h1'] })
    for (const part of [...spec().tasks.map(({ brief }) => brief), '[text n1]', '[text h1]']) {
      expect(round?.opening).toContain(part)
    }
  })

  test('a round lost during a hand-over continues in the same session, and looks first', () => {
    const lost = reported(given(...facts), 'round:1', { kind: 'lost' })
    const facts2 = [...facts, ...lost, { kind: 'checkpoint-made' as const, ...checkpointed(1) }]
    const [started] = settled(given(...facts2))
    const state = given(...facts2, started as AttemptEvent)
    expect(state.session).toMatchObject({ id: SESSION, standing: 'active' })
    const [due, ...more] = attemptEffectsDue(state)
    const round = due?.kind === 'run-round' ? due.round : null
    expect(more).toEqual([])
    expect(round).toMatchObject({ sessionKnown: true, prompt: expect.stringContaining('Check first') })
    expect(round?.prompt).not.toContain(spec().tasks[0]?.brief)
    expect(contextKinds([...facts2, ...when(state, { kind: 'usage', usage: used(162_000) })]).at(-1)).toBe(
      'hand-off-started boundary',
    )
  })

  test('past the last hand-off, the attempt fails', () => {
    const state = given(...facts, ...over)
    state.handOffs = 2
    expect(reported(state, 'checkpoint:1', { kind: 'checkpointed', ...checkpointed(1), history: 'h1' })).toMatchObject([
      { kind: 'checkpoint-made' },
      { kind: 'attempt-closing', cause: 'hand-offs' },
    ])
  })
})

describe('session records', () => {
  test('count turns, tokens and money, and end with the attempt', () => {
    const closing: AttemptEvent = {
      kind: 'attempt-closing',
      outcome: 'landed',
      cause: 'landed',
      reason: 'landed',
      findings: [],
    }
    expect(given(...filledBy([1000, 2000]), closing).sessions).toMatchObject([
      {
        standing: 'completed',
        used: 2000,
        window: 200_000,
        isOpen: true,
        totals: { turns: 2, tokens: { cacheRead: 3000 } },
      },
    ])
    expect(given(...opened(), roundStarted(1), { ...closing, outcome: 'failed' }).session).toMatchObject({
      standing: 'abandoned',
      used: null,
      totals: NO_TOTALS,
    })
  })

  test.each([
    ['', []],
    [', only turns,', [0]],
  ])('an agent without usage reports%s is recorded once, and the work continues', (_, calls) => {
    const facts = filledBy(calls)
    const over = reported(given(...facts), 'round:1', { kind: 'round-ended', end: end('ok'), note: null, words: null })
    expect(over.map(({ kind }) => kind)).toEqual(['round-ended', 'context-untracked'])
    const again = given(...facts, ...over, { kind: 'checkpoint-made', ...checkpointed(1) }, roundStarted(2))
    const later = reported(again, 'round:2', { kind: 'round-ended', end: end('ok'), note: null, words: null })
    expect(later.map(({ kind }) => kind)).toEqual(['round-ended'])
  })
})

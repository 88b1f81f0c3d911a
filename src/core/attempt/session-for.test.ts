import { describe, expect, test } from 'vitest'
import { checkpointed, given, opened, roundEnded, roundStarted, SESSION } from '../../../test/given/given-attempt.ts'
import { PLAIN_WORKFLOWS } from '../../../test/given/plain-workflows.ts'
import type { AttemptEvent, RoundCause } from '../model/attempt-event.ts'
import type { SessionId } from '../model/ids.ts'
import { finding } from '../model/verdict.ts'
import type { PhaseSpec, Workflow } from '../model/workflow.ts'
import { attemptEffectsDue } from './effects-due.ts'
import { sessionFor } from './session-for.ts'

const [IMPLEMENT] = PLAIN_WORKFLOWS.trivial.phases as [PhaseSpec]
const PHASES: readonly PhaseSpec[] = [
  IMPLEMENT,
  { ...IMPLEMENT, name: 'review', role: 'reviewer' },
  { ...IMPLEMENT, name: 'qa' },
]
const BACK: RoundCause = { kind: 'findings', from: 'review', findings: [finding('review', 'x')] }

function strategy(session: Workflow['session'], commit: Workflow['commit'] = 'round'): { readonly workflow: Workflow } {
  return { workflow: { ...PLAIN_WORKFLOWS.small, session, commit, phases: PHASES } }
}

/** Returns the facts of a saved round of a phase. */
function round(number: number, phase: string, session: string, used = 10): readonly AttemptEvent[] {
  const tokens = { input: used, cacheRead: 0, cacheWrite: 0, output: 0 }
  const usage = {
    session,
    message: `m${number}`,
    model: 'm',
    scope: 'main' as const,
    hourCacheWrite: 0,
    tokens,
    window: 200_000,
  }
  const started = { ...roundStarted(number), phase, session: session as SessionId } as AttemptEvent
  return [
    { kind: 'phase-entered', phase, why: '' },
    started,
    { kind: 'usage-observed', usage, usd: 0, day: '2026-01-01' },
    roundEnded(number, 'ok', { claim: { kind: 'done' } }),
    { kind: 'checkpoint-made', ...checkpointed(number) },
  ]
}

describe('a round runs', () => {
  const worked = round(1, 'implement', SESSION)
  const returned: AttemptEvent = { kind: 'work-returned', from: 'review', to: 'implement', findings: [] }
  const entered = (phase: string): AttemptEvent => ({ kind: 'phase-entered', phase, why: '' })

  test.each<[string, Workflow['session'], readonly AttemptEvent[], RoundCause, string | null]>([
    ['in the session of its phase', 'phase', [...worked, ...round(2, 'review', 's2'), returned], BACK, SESSION],
    ['in a fresh one for findings, with a session per prompt', 'prompt', [...worked, returned], BACK, null],
    ['in the same one after an interruption, even then', 'prompt', worked, { kind: 'lost' }, SESSION],
    ['in a fresh one in another phase', 'phase', [...worked, entered('qa')], { kind: 'brief' }, null],
    ['in the one of the attempt in another phase', 'attempt', [...worked, entered('qa')], { kind: 'brief' }, SESSION],
    ['in a fresh one where it only reads', 'attempt', [...worked, entered('review')], { kind: 'brief' }, null],
    ['in a fresh one after a hand-off', 'attempt', worked, { kind: 'fresh-session', why: 'full' }, null],
    [
      'in a fresh one when there is little room left',
      'phase',
      [...round(1, 'implement', SESSION, 150_000), returned],
      BACK,
      null,
    ],
  ])('%s', (_, session, events, cause, expected) => {
    expect(sessionFor(given(...opened(strategy(session)), ...events), cause)).toBe(expected)
  })
})

describe('a commit', () => {
  const amended = (commit: Workflow['commit'], ...events: readonly AttemptEvent[]) => {
    const state = given(...opened(strategy('attempt', commit)), ...events)
    const [due] = attemptEffectsDue(state)
    return due?.kind === 'checkpoint' ? due.amends : 'none due'
  }
  const more = (phase: string): readonly AttemptEvent[] => [
    { ...roundStarted(2), phase } as AttemptEvent,
    roundEnded(2, 'ok', { claim: { kind: 'done' } }),
  ]

  test.each<[Workflow['commit'], string, string | null]>([
    ['round', 'implement', null],
    ['phase', 'implement', 'c1'],
    ['attempt', 'implement', 'c1'],
    ['phase', 'qa', null],
    ['attempt', 'qa', 'c1'],
  ])('per %s: the next of %s amends %s', (commit, phase, replaced) => {
    const entered: readonly AttemptEvent[] = phase === 'implement' ? [] : [{ kind: 'phase-entered', phase, why: '' }]
    expect(amended(commit, ...round(1, 'implement', SESSION), ...entered, ...more(phase))).toBe(replaced)
  })
})

import { describe, expect, test } from 'vitest'
import {
  checkpointed,
  given,
  NOW,
  opened,
  reported,
  roundEnded,
  roundStarted,
  when,
} from '../../../test/given/given-attempt.ts'
import { PLAIN_WORKFLOWS } from '../../../test/given/plain-workflows.ts'
import type { AgentReport, Issue, Review } from '../model/agent-report.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { PhaseSpec, Workflow } from '../model/workflow.ts'
import { attemptEffectsDue } from './effects-due.ts'
import { evolveAttempt } from './evolve.ts'
import { settleAttempt } from './settle.ts'
import type { AttemptState } from './state.ts'

const [IMPLEMENT] = PLAIN_WORKFLOWS.trivial.phases as [PhaseSpec]
const HIGH: Issue = { severity: 'high', file: 'a.ts', line: 3, message: 'it leaks' }
const LOW: Issue = { ...HIGH, severity: 'low' }
const PASS = { kind: 'pass', reason: 'fine' } as const

function workflow(...phases: readonly PhaseSpec[]): Workflow {
  return { ...PLAIN_WORKFLOWS.small, session: 'phase', phases }
}

function phase(name: string, role: PhaseSpec['role']): PhaseSpec {
  return { ...IMPLEMENT, name, role, backTo: 'implement' }
}

/** Plays rounds of an attempt, each with a report and a saved checkpoint. */
class Played {
  readonly state: AttemptState

  constructor(...phases: readonly PhaseSpec[]) {
    const facts = opened({ workflow: workflow(...phases), gates: [] })
    const first = phases[0]?.name ?? ''
    const entered: AttemptEvent = { kind: 'phase-entered', phase: first, why: '' }
    this.state = given(...facts.slice(0, 2), entered)
  }

  /** Settles the attempt; each session gets a new id. */
  begin(): readonly AttemptEvent[] {
    const events = settleAttempt(this.state, { at: NOW.at, uuid: `session-${this.state.rounds + 1}` })
    this.take(events)
    return events
  }

  /** Starts a round, ends it with this report, and returns what follows. */
  round(report: AgentReport | null = null, digest: string | null = null): readonly AttemptEvent[] {
    const { state } = this
    this.begin()
    const end = { kind: 'ok', detail: '', claim: { kind: 'done' }, resetAt: null, note: null } as const
    const words = { report, digest }
    this.take(reported(state, `round:${state.rounds}`, { kind: 'round-ended', end, note: null, words }))
    const checkpoint = checkpointed(state.checkpoints + 1)
    const [saved, ...next] = reported(state, `checkpoint:${state.checkpoints + 1}`, {
      kind: 'checkpointed',
      ...checkpoint,
    })
    this.take([saved as AttemptEvent, ...next])
    return next
  }

  take(events: readonly AttemptEvent[]): void {
    for (const event of events) evolveAttempt(this.state, event, NOW.at)
  }

  get prompt(): string {
    this.begin()
    const [due] = attemptEffectsDue(this.state)
    return due?.kind === 'run-round' ? due.round.opening : ''
  }
}

function review(more: Partial<Review> = {}): AgentReport {
  return { kind: 'review', review: { issues: [], questions: [], positives: [], decision: null, ...more } }
}

function reviewed(): Played {
  const played = new Played(IMPLEMENT, phase('review', 'reviewer'))
  played.round()
  return played
}

describe('a review', () => {
  test('looks, then decides, in a separate session, and lets good work pass', () => {
    const played = reviewed()
    expect(played.state.phase).toBe('review')
    expect(played.round(review({ issues: [LOW] }))).toEqual([{ kind: 'round-requested', cause: { kind: 'decide' } }])
    expect(played.prompt).toContain('- low: a.ts:3 it leaks')
    expect(played.round(review({ issues: [LOW], decision: PASS }))).toMatchObject([{ kind: 'ready-to-land' }])
    expect(new Set(played.state.sessions.map(({ phase: name }) => name))).toEqual(new Set(['implement', 'review']))
  })

  test.each([
    ['fails', { issues: [HIGH], decision: { kind: 'fail', reason: 'no' } }, HIGH],
    [
      'fails without an issue',
      { issues: [LOW], decision: { kind: 'fail', reason: 'too slow' } },
      { message: 'too slow' },
    ],
    ['passes with something high left', { issues: [HIGH], decision: PASS }, HIGH],
  ] as const)('that %s sends the work back to the session that did it', (_, found, wanted) => {
    const played = reviewed()
    const [worker] = played.state.sessions
    played.round(review())
    const next = played.round(review(found))
    expect(next).toMatchObject([
      { kind: 'work-returned', from: 'review', to: 'implement', findings: [{ source: 'review', ...wanted }] },
    ])
    expect(played.begin()).toMatchObject([{ kind: 'round-started', phase: 'implement', session: worker?.id }])
  })

  test('that repeats its finding is a stalemate for a person', () => {
    const played = reviewed()
    const fail = review({ issues: [HIGH], decision: { kind: 'fail', reason: 'no' } })
    played.round(review())
    played.round(fail)
    played.round()
    played.round(review())
    const next = played.round(fail)
    expect(next).toMatchObject([{ kind: 'attempt-waiting', for: { asks: 'approval', approvalPoint: 'review' } }])
    expect(next[0]).toMatchObject({ reason: expect.stringContaining('stalemate') })
    const stop = { kind: 'stop', cause: 'stopped', reason: 'retried by the user' } as const
    expect(when(played.state, { kind: 'message', id: 'stop', message: stop })).toMatchObject([
      { kind: 'message-received' },
      { kind: 'attempt-closing', findings: [{ source: 'review', ...HIGH }] },
    ])
  })

  test('with findings for the third time is for a person', () => {
    const played = reviewed()
    const finds = (message: string) => {
      played.round(review())
      return played.round(review({ issues: [{ ...HIGH, message }], decision: { kind: 'fail', reason: 'no' } }))
    }
    finds('one')
    played.round()
    finds('two')
    played.round()
    expect(finds('three')).toMatchObject([{ kind: 'attempt-waiting', reason: expect.stringContaining('3 reviews') }])
  })

  test('that a person has to decide waits for them', () => {
    const played = reviewed()
    played.round(review())
    const next = played.round(review({ decision: { kind: 'needs-person', reason: 'two ways' } }))
    expect(next).toMatchObject([{ kind: 'attempt-waiting', for: { asks: 'approval', question: /two ways/ } }])
  })

  test('that cannot be read is requested once more, and never passes', () => {
    const played = reviewed()
    expect(played.round()).toMatchObject([{ kind: 'round-requested', cause: { kind: 'again' } }])
    expect(played.prompt).toContain('Your review could not be read.')
    expect(played.round()).toMatchObject([
      { kind: 'attempt-waiting', for: { asks: 'approval', approvalPoint: 'review' } },
    ])
  })

  test('without a decision is not one', () => {
    const played = reviewed()
    played.round(review())
    expect(played.round(review())).toMatchObject([{ kind: 'round-requested', cause: { kind: 'again' } }])
  })
})

describe('QA', () => {
  const done = { tests: [], ran: null, coverage: null, documents: [], issues: [] }
  const tested = () => {
    const played = new Played(IMPLEMENT, phase('qa', 'qa'))
    played.round()
    return played
  }

  test('without issues lets the work continue', () => {
    expect(tested().round({ kind: 'qa', qa: done })).toMatchObject([{ kind: 'ready-to-land' }])
  })

  test.each([
    ['an issue', { issues: [{ ...HIGH, reproduction: 'run it' }] }, HIGH],
    ['red tests', { ran: { passed: 1, failed: 2, skipped: 0 } }, { message: '2 of its tests failed' }],
  ])('with %s sends it back', (_, more, wanted) => {
    expect(tested().round({ kind: 'qa', qa: { ...done, ...more } })).toMatchObject([
      { kind: 'work-returned', from: 'qa', findings: [{ source: 'qa', ...wanted }] },
    ])
  })
})

describe('a plan', () => {
  test('is in the prompts of the phases after it', () => {
    const played = new Played(phase('spec', 'planner'), IMPLEMENT)
    expect(played.round(null, 'd1')).toMatchObject([{ kind: 'phase-entered', phase: 'implement' }])
    expect(played.prompt).toContain('Output of the phase spec:\n\n[text d1]')
  })

  test('that is empty is requested again', () => {
    const played = new Played(phase('spec', 'planner'), IMPLEMENT)
    expect(played.round()).toMatchObject([{ kind: 'round-requested', cause: { kind: 'again' } }])
  })
})

test('a round that was lost is not a report', () => {
  const state = given(
    ...opened({ workflow: workflow(IMPLEMENT, phase('review', 'reviewer')) }),
    roundStarted(1),
    roundEnded(1, 'lost'),
  )
  expect(reported(state, 'checkpoint:1', { kind: 'checkpointed', ...checkpointed(1) })).toHaveLength(1)
})

import { describe, expect, test } from 'vitest'
import { BASE, given, NOW, opened, reported, settled, spec, when } from '../../../test/given/given-attempt.ts'
import { givenTask } from '../../../test/given/given-run.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import { problem } from '../model/problem.ts'
import { attemptEffectsDue } from './effects-due.ts'
import { evolveAttempt } from './evolve.ts'
import type { AttemptState } from './state.ts'

const VERIFY = ['npm run contrast', 'test -f page.html']
const TASKS = [{ ...givenTask('t1'), verify: VERIFY }]
const ENTERED: AttemptEvent = { kind: 'phase-entered', phase: 'implement', why: 'the workspace is ready' }
const MADE: AttemptEvent = { kind: 'workspace-made', commit: BASE }

function opening(changes: Partial<AttemptSpec>): AttemptState {
  return given({ kind: 'attempt-opened', spec: spec(changes) })
}

/** Returns an attempt whose verify commands run on the base. */
function trying(changes: Partial<AttemptSpec> = {}): AttemptState {
  return given({ kind: 'attempt-opened', spec: spec({ tasks: TASKS, ...changes }) }, MADE, { kind: 'verify-requested' })
}

function take(state: AttemptState, events: readonly AttemptEvent[]): AttemptState {
  for (const event of events) evolveAttempt(state, event, NOW.at)
  return state
}

describe('a verify command is tried on the base', () => {
  test.each<[string, Partial<AttemptSpec>, readonly AttemptEvent[]]>([
    ['before the first attempt', { tasks: TASKS }, [MADE, { kind: 'verify-requested' }]],
    ['not without a verify command', {}, [MADE, ENTERED]],
    ['not before a retry, whose base may have its work', { tasks: TASKS, retryBrief: 'it failed' }, [MADE, ENTERED]],
  ])('%s', (_, changes, events) => {
    expect(reported(opening(changes), 'workspace:1', { kind: 'workspace-made', commit: BASE })).toEqual(events)
  })

  test('by a repeatable effect, before any round', () => {
    const state = trying()
    expect(attemptEffectsDue(state)).toMatchObject([
      { kind: 'try-verify', id: 'verify', class: 'repeatable', checks: VERIFY.map((run) => ({ run })) },
    ])
    expect(settled(state)).toEqual([])
  })

  test('again when the workspace was lost meanwhile', () => {
    const state = trying()
    take(state, when(state, { kind: 'workspace-missing', reason: 'gone' }))
    take(state, reported(state, 'workspace:2', { kind: 'workspace-made', commit: BASE }))
    expect(attemptEffectsDue(state)).toMatchObject([{ kind: 'try-verify' }])
  })
})

describe('after that the work starts', () => {
  test('and the prompt of every session says which commands pass already', () => {
    const state = trying()
    const tried = reported(state, 'verify', { kind: 'verify-tried', alreadyGreen: ['npm run contrast'] })
    expect(tried).toEqual([{ kind: 'verify-tried', alreadyGreen: ['npm run contrast'] }, ENTERED])
    take(state, tried)
    take(state, settled(state))
    const [round] = attemptEffectsDue(state)
    const opening = round?.kind === 'run-round' ? round.round.opening : ''
    expect(opening).toContain('already pass before your work')
    expect(opening.split('- npm run contrast')).toHaveLength(3)
  })

  test('also when the commands could not be tried', () => {
    const full = problem({ code: 'disk-full', message: 'no space left', hint: '', retry: 'never' })
    const state = trying()
    expect(reported(state, 'verify', { kind: 'trouble', problem: full })).toEqual([
      { kind: 'verify-tried', alreadyGreen: [] },
      ENTERED,
    ])
  })

  test('unless a breakpoint stops it first', () => {
    const state = trying({ breakpoints: ['implement'] })
    const tried = reported(state, 'verify', { kind: 'verify-tried', alreadyGreen: [] })
    expect(tried).toMatchObject([{ kind: 'verify-tried' }, { kind: 'attempt-waiting', for: { kind: 'person' } }])
    expect(take(state, tried).doing).toMatchObject({ kind: 'waiting', next: { kind: 'brief' } })
  })
})

test('a retry knows what passed before the first attempt', () => {
  const state = given(...opened({ tasks: TASKS, retryBrief: 'it failed', alreadyGreen: VERIFY }))
  expect(state.alreadyGreen).toEqual(VERIFY)
})

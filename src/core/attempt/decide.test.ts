import { describe, expect, test } from 'vitest'
import {
  BASE,
  checkpointed,
  end,
  given,
  NOW,
  opened,
  reported,
  roundEnded,
  roundStarted,
  SESSION,
  settled,
  spec,
  when,
} from '../../../test/given/given-attempt.ts'
import { PLAIN_WORKFLOWS } from '../../../test/given/plain-workflows.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { Commit, Tree } from '../model/ids.ts'
import { problem } from '../model/problem.ts'
import type { RoundEndKind } from '../model/round.ts'
import { finding } from '../model/verdict.ts'
import { attemptEffectsDue } from './effects-due.ts'
import { evolveAttempt } from './evolve.ts'
import type { AttemptState } from './state.ts'

const RED = finding('tests', '"npm test" ended with exit code 1', { excerpt: 'expected 1' })
const TREE = 'tree1' as Tree
const ANSWER =
  'Run "longhaul answer t1 TEXT", or resolve it yourself and run "longhaul retry t1"; "longhaul show t1 --dossier" shows the details.'

function due(state: AttemptState): readonly string[] {
  return attemptEffectsDue(state).map((effect) => `${effect.kind} ${effect.id} ${effect.class}`)
}

function inRound(): AttemptState {
  return given(...opened(), roundStarted(1))
}

/** Returns an attempt whose first round has ended and is not saved yet. */
function roundOver(kind: RoundEndKind, more: Parameters<typeof end>[1] = {}, changes = {}): AttemptState {
  return given(...opened(changes), roundStarted(1), roundEnded(1, kind, more))
}

/** Returns the facts that follow a saved round. */
function next(state: AttemptState, checkpoint = checkpointed(1)): readonly AttemptEvent[] {
  return reported(state, `checkpoint:${state.checkpoints + 1}`, { kind: 'checkpointed', ...checkpoint }).slice(1)
}

describe('an attempt starts', () => {
  test('with its workspace, once', () => {
    const state = given()
    expect(when(state, { kind: 'open', spec: spec() })).toEqual([{ kind: 'attempt-opened', spec: spec() }])
    expect(due(given(...opened().slice(0, 1)))).toEqual(['ensure-workspace workspace:1 repeatable'])
    expect(when(given(...opened()), { kind: 'open', spec: spec() })).toEqual([])
  })

  test('and then a round with the brief, in a session whose id is recorded before it starts', () => {
    const [started] = settled(given(...opened()))
    expect(started).toMatchObject({ kind: 'round-started', round: 1, session: NOW.uuid, cause: { kind: 'brief' } })
  })

  test('and fails when its setup fails', () => {
    const failed = problem({
      code: 'setup-failed',
      message: '"npm ci" ended with exit code 1',
      hint: '',
      retry: 'person',
    })
    const state = given(...opened().slice(0, 1))
    expect(reported(state, 'workspace:1', { kind: 'setup-failed', problem: failed, findings: [RED] })).toEqual([
      { kind: 'attempt-closing', outcome: 'failed', cause: 'setup', reason: failed.message, findings: [RED] },
    ])
  })
})

describe('a report', () => {
  test('ends the round it is about', () => {
    expect(reported(inRound(), 'round:1', { kind: 'round-ended', end: end('ok'), note: null, words: null })).toEqual([
      roundEnded(1, 'ok'),
    ])
  })

  test.each(['round:2', 'checkpoint:1', 'release'])('of %s, which is not due, changes nothing', (effect) => {
    expect(reported(inRound(), effect, { kind: 'round-ended', end: end('crashed'), note: null, words: null })).toEqual(
      [],
    )
  })

  test('for an ended round changes nothing', () => {
    expect(
      reported(roundOver('ok'), 'round:1', { kind: 'round-ended', end: end('crashed'), note: null, words: null }),
    ).toEqual([])
  })

  test('of a lost round leads to a prompt to look first, never to the brief again', () => {
    const [lost] = reported(inRound(), 'round:1', { kind: 'lost' })
    expect(lost).toMatchObject({ kind: 'round-ended', end: { kind: 'lost' } })
    const state = given(...opened(), roundStarted(1), lost as AttemptEvent, {
      kind: 'checkpoint-made',
      ...checkpointed(1),
    })
    expect(settled(state)).toMatchObject([
      { kind: 'round-started', round: 2, session: SESSION, cause: { kind: 'lost' } },
    ])
  })
})

describe('after a round whose work was saved', () => {
  test.each<[string, AttemptState, readonly object[]]>([
    [
      'a claim of done is verified',
      roundOver('ok', { claim: { kind: 'done' } }),
      [{ kind: 'phase-entered', phase: 'verify' }],
    ],
    ['no claim counts as done', roundOver('ok'), [{ kind: 'phase-entered', phase: 'verify' }]],
    ['an agent that claims continue gets another round', roundOver('ok', { claim: { kind: 'continue' } }), []],
    [
      'a blocked agent waits for a person',
      roundOver('ok', { claim: { kind: 'blocked', reason: 'no key' } }),
      [
        { kind: 'work-assessed', as: 'blocked', why: 'no key' },
        { kind: 'attempt-waiting', for: { kind: 'person', question: 'asks: no key', hint: ANSWER } },
      ],
    ],
    [
      'with no checks it is ready to land',
      roundOver('ok', {}, { gates: [] }),
      [{ kind: 'ready-to-land', commit: 'c1' }],
    ],
    [
      'a trivial task is ready to land',
      roundOver('ok', {}, { workflow: PLAIN_WORKFLOWS.trivial }),
      [{ kind: 'ready-to-land' }],
    ],
    ['an interrupted round continues', roundOver('cancelled'), []],
    ['a truncated answer continues', roundOver('truncated'), []],
    ['a full context window continues in a fresh session', roundOver('context-exhausted'), []],
    ['the first timeout is resumed', roundOver('timeout'), []],
    ['used-up turns are granted once more', roundOver('max-turns'), []],
    [
      'a usage limit parks until its reset time',
      roundOver('rate-limited', { resetAt: NOW.at + 60_000 }),
      [{ kind: 'attempt-waiting', for: { kind: 'limit', credential: 'scripted', estimated: false } }],
    ],
    [
      'an unknown limit parks for a while',
      roundOver('rate-limited'),
      [{ kind: 'attempt-waiting', for: { kind: 'limit', estimated: true } }],
    ],
    [
      'an overload pauses',
      roundOver('overloaded'),
      [{ kind: 'attempt-waiting', for: { kind: 'retry', until: NOW.at + 30_000 } }],
    ],
    ['a crash of the agent pauses', roundOver('crashed'), [{ kind: 'attempt-waiting', for: { kind: 'retry' } }]],
    [
      'an agent that is not signed in waits for a person',
      roundOver('auth'),
      [{ kind: 'attempt-waiting', for: { kind: 'person' } }],
    ],
    ['a spent budget waits for a person', roundOver('budget'), [{ kind: 'attempt-waiting', for: { kind: 'person' } }]],
    [
      'a refusal fails the attempt',
      roundOver('refused'),
      [{ kind: 'attempt-closing', outcome: 'failed', cause: 'refused' }],
    ],
    [
      'a wrong configuration fails the attempt',
      roundOver('config'),
      [{ kind: 'attempt-closing', outcome: 'failed', cause: 'config' }],
    ],
  ])('%s', (_what, state, expected) => {
    const events = next(state)
    expect(events).toHaveLength(expected.length)
    expect(events).toMatchObject(expected)
  })

  test('an empty diff goes back as a finding', () => {
    expect(next(roundOver('ok'), checkpointed(1, 0))).toEqual([
      {
        kind: 'work-returned',
        from: 'implement',
        to: 'implement',
        findings: [finding('diff', 'nothing has changed since base')],
      },
    ])
  })
})

describe('limits of an attempt', () => {
  const rounds = (kind: RoundEndKind, count: number): AttemptState =>
    given(
      ...opened(),
      ...Array.from({ length: count }, (_, n): AttemptEvent[] => [
        roundStarted(n + 1),
        roundEnded(n + 1, kind),
        ...(n + 1 < count ? [{ kind: 'checkpoint-made' as const, ...checkpointed(n + 1) }] : []),
      ]).flat(),
    )

  test.each<[RoundEndKind, number, string]>([
    ['lost', 6, 'lost'],
    ['timeout', 2, 'timeout'],
    ['crashed', 5, 'errors'],
    ['context-exhausted', 3, 'hand-offs'],
  ])('a round %s for the %i. time fails it', (kind, count, cause) => {
    const state = rounds(kind, count)
    if (kind === 'context-exhausted') state.handOffs = 2
    expect(next(state)).toMatchObject([{ kind: 'attempt-closing', outcome: 'failed', cause }])
    const before = rounds(kind, count - 1)
    if (kind === 'context-exhausted') before.handOffs = 1
    expect(next(before)).not.toMatchObject([{ kind: 'attempt-closing' }])
  })

  test('turns used up twice are assessed by what was delivered', () => {
    expect(next(rounds('max-turns', 2))).toMatchObject([{ kind: 'phase-entered', phase: 'verify' }])
  })

  test('rounds of a phase are counted', () => {
    const state = given(
      ...opened({ workflow: { ...PLAIN_WORKFLOWS.small, rounds: 1 } }),
      roundStarted(1),
      roundEnded(1, 'ok', { claim: { kind: 'continue' } }),
      { kind: 'checkpoint-made', ...checkpointed(1) },
    )
    expect(settled(state)).toMatchObject([{ kind: 'attempt-closing', cause: 'rounds' }])
  })

  test.each(['lost', 'context-exhausted'] as const)('a round that is %s does not count', (kind) => {
    const ended = [roundStarted(1), roundEnded(1, kind), { kind: 'checkpoint-made', ...checkpointed(1) } as const]
    const state = given(...opened({ workflow: { ...PLAIN_WORKFLOWS.small, rounds: 2 } }), ...ended, roundStarted(2))
    if (kind === 'context-exhausted') state.handOffs = 1
    evolveAttempt(state, roundEnded(2, 'ok', { claim: { kind: 'continue' } }), NOW.at)
    evolveAttempt(state, { kind: 'checkpoint-made', ...checkpointed(2) }, NOW.at)
    expect(settled(state)).toMatchObject([{ kind: 'round-started', round: 3 }])
  })

  test('a round times out at its deadline', () => {
    expect(when(inRound(), { kind: 'tick' })).toEqual([])
    expect(when(inRound(), { kind: 'tick' }, { ...NOW, at: NOW.at + 60_000 })).toMatchObject([
      { kind: 'round-ended', end: { kind: 'timeout' } },
    ])
  })
})

describe('usage', () => {
  const usage = {
    session: SESSION,
    message: 'm1',
    model: 'scripted',
    scope: 'main' as const,
    hourCacheWrite: 0,
    tokens: { input: 100_000, cacheRead: 0, cacheWrite: 0, output: 0 },
    window: null,
  }

  test('is priced and counted once per message, also after the round', () => {
    const [observed] = when(roundOver('cancelled'), { kind: 'usage', usage })
    expect(observed).toMatchObject({ kind: 'usage-observed', usd: 0.5 })
    expect(when(given(...opened(), roundStarted(1), observed as AttemptEvent), { kind: 'usage', usage })).toEqual([])
  })

  test('that reaches the allowance ends the round', () => {
    const state = given(...opened({ allowance: { usd: 0.5, budget: 'task' } }), roundStarted(1))
    expect(when(state, { kind: 'usage', usage })).toMatchObject([
      { kind: 'usage-observed' },
      { kind: 'round-ended', end: { kind: 'budget', detail: "the task's budget is used up: 0.50 USD of 0.50 USD" } },
    ])
  })

  test('past the turn limit ends the round', () => {
    const state = inRound()
    state.roundTurns = 10
    expect(when(state, { kind: 'usage', usage })).toMatchObject([
      { kind: 'usage-observed' },
      { kind: 'round-ended', end: { kind: 'max-turns' } },
    ])
  })

  test('of a subagent costs money, but is neither a turn nor in the context', () => {
    const state = inRound()
    state.roundTurns = 10
    const [observed, ...more] = when(state, { kind: 'usage', usage: { ...usage, scope: 'subagent' } })
    expect(more).toEqual([])
    const after = given(...opened(), roundStarted(1), observed as AttemptEvent)
    expect(after).toMatchObject({ roundTurns: 0, totals: { usd: 0.5, turns: 0 }, session: { used: null } })
  })

  test.each([
    ['one per cent off', 0.505, []],
    ['more than that off', 0.52, [{ kind: 'cost-drifted', round: 1, usd: 0.5, agentUsd: 0.52 }]],
  ])('is compared with the agent’s own total: %s', (_how, usd, events) => {
    const observed = when(inRound(), { kind: 'usage', usage })
    expect(when(given(...opened(), roundStarted(1), ...observed), { kind: 'cost', usd })).toEqual(events)
  })

  test('of a model without a price is recorded as unknown', () => {
    expect(when(inRound(), { kind: 'usage', usage: { ...usage, model: 'other' } })).toMatchObject([{ usd: null }])
  })
})

describe('a verdict', () => {
  const checking = (...more: readonly AttemptEvent[]): AttemptState =>
    given(...opened(), roundStarted(1), roundEnded(1, 'ok'), { kind: 'checkpoint-made', ...checkpointed(1) }, ...more, {
      kind: 'phase-entered',
      phase: 'verify',
      why: '',
    })
  const red = { kind: 'checked' as const, verdict: { passed: false, receipts: [], findings: [RED] } }

  test('that passes makes the work ready to land', () => {
    const verdict = { passed: true, receipts: [], findings: [] }
    expect(reported(checking(), 'checks:1', { kind: 'checked', verdict })).toMatchObject([
      { kind: 'verdict-given', passed: true },
      { kind: 'ready-to-land', commit: 'c1', tree: TREE },
    ])
  })

  test('that fails sends its findings into the same session', () => {
    const events = reported(checking(), 'checks:1', red)
    expect(events).toMatchObject([
      { kind: 'verdict-given', passed: false },
      { kind: 'work-returned', from: 'verify', to: 'implement', findings: [RED] },
    ])
    const state = checking()
    const again = given(
      ...opened(),
      roundStarted(1),
      roundEnded(1, 'ok'),
      { kind: 'checkpoint-made', ...checkpointed(1) },
      { kind: 'phase-entered', phase: 'verify', why: '' },
      ...events,
    )
    expect(settled(again)).toMatchObject([
      {
        kind: 'round-started',
        round: 2,
        phaseRound: 2,
        session: SESSION,
        cause: { kind: 'findings', findings: [RED] },
      },
    ])
    expect(due(state)).toEqual(['run-checks checks:1 repeatable'])
  })

  test('with the same findings in the same tree ends the attempt', () => {
    const state = checking({ kind: 'work-returned', from: 'verify', to: 'implement', findings: [RED] })
    expect(reported(state, 'checks:1', red)).toMatchObject([
      {},
      { kind: 'attempt-closing', outcome: 'failed', cause: 'no-progress' },
    ])
  })

  test('that sends work back for the fourth time ends the attempt', () => {
    const state = checking()
    state.returns = 3
    expect(reported(state, 'checks:1', red)).toMatchObject([{}, { kind: 'attempt-closing', cause: 'checks' }])
  })
})

describe('a message of the run', () => {
  const landing = () =>
    given(
      ...opened(),
      roundStarted(1),
      roundEnded(1, 'ok'),
      { kind: 'checkpoint-made', ...checkpointed(1) },
      { kind: 'ready-to-land', commit: 'c1' as Commit, tree: TREE },
    )

  test('is received once', () => {
    const message = { kind: 'landed' as const, commit: 'm1' as Commit }
    const events = when(landing(), { kind: 'message', id: 'x', message })
    expect(events).toMatchObject([
      { kind: 'message-received', id: 'x' },
      { kind: 'attempt-closing', outcome: 'landed' },
    ])
    const informed = given(...opened(), events[0] as AttemptEvent)
    expect(when(informed, { kind: 'message', id: 'x', message })).toEqual([])
  })

  test('of a refused landing waits for a slot, and then goes back to work', () => {
    const conflict = finding('merge', 'it conflicts')
    const message = { kind: 'landing-refused' as const, cause: 'conflict' as const, line: BASE, findings: [conflict] }
    const events = when(landing(), { kind: 'message', id: 'x', message })
    expect(events).toMatchObject([{ kind: 'message-received' }, { kind: 'work-returned', from: 'landing' }])
    const waiting = given(
      ...opened(),
      roundStarted(1),
      roundEnded(1, 'ok'),
      { kind: 'checkpoint-made', ...checkpointed(1) },
      ...events,
    )
    expect(settled(waiting)).toEqual([])
    expect(when(waiting, { kind: 'message', id: 'y', message: { kind: 'resume', stretch: 2, why: '' } })).toMatchObject(
      [{ kind: 'message-received' }],
    )
  })

  test('to stop ends the attempt and keeps its work', () => {
    const message = { kind: 'stop' as const, cause: 'stopped' as const, reason: 'stopped by the user' }
    const events = when(inRound(), { kind: 'message', id: 'x', message })
    expect(events).toMatchObject([
      { kind: 'message-received' },
      { kind: 'attempt-closing', outcome: 'abandoned', cause: 'stopped' },
    ])
    expect(due(given(...opened(), roundStarted(1), ...events))).toEqual(['release-workspace release repeatable'])
  })
})

describe('a workspace that disappeared', () => {
  test('is recreated from the last checkpoint, and the interrupted step resumes', () => {
    const state = roundOver('ok')
    const [missed] = when(state, { kind: 'workspace-missing', reason: 'gone' })
    expect(missed).toEqual({ kind: 'workspace-lost', reason: 'gone', commit: BASE })
    const again = given(...opened(), roundStarted(1), roundEnded(1, 'ok'), missed as AttemptEvent)
    expect(due(again)).toEqual(['ensure-workspace workspace:2 repeatable'])
    const back = given(...opened(), roundStarted(1), roundEnded(1, 'ok'), missed as AttemptEvent, {
      kind: 'workspace-made',
      commit: BASE,
    })
    expect(due(back)).toEqual(['checkpoint checkpoint:1 repeatable'])
  })

  test('does not matter to an attempt that waits to land', () => {
    const state = given(...opened(), { kind: 'ready-to-land', commit: 'c1' as Commit, tree: TREE })
    expect(when(state, { kind: 'workspace-missing', reason: 'gone' })).toEqual([])
  })
})

test('an attempt ends when its workspace has been released, with its totals', () => {
  const state = given(...opened(), {
    kind: 'attempt-closing',
    outcome: 'failed',
    cause: 'checks',
    reason: 'red',
    findings: [RED],
  })
  expect(
    reported(state, 'release', { kind: 'released', kept: true, salvage: ['refs/longhaul/salvage/t1-a1'] }),
  ).toMatchObject([
    { kind: 'workspace-released', kept: true },
    { kind: 'attempt-ended', outcome: 'failed', cause: 'checks', reason: 'red', findings: [RED], totals: { usd: 0 } },
  ])
})

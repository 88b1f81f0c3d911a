import { createHash } from 'node:crypto'
import { askPerson } from '../../src/core/attempt/ask-person.ts'
import type { AttemptEvent } from '../../src/core/model/attempt-event.ts'
import type {
  AttemptId,
  Commit,
  LandingId,
  MilestoneId,
  RunId,
  SessionId,
  TaskId,
  Tree,
} from '../../src/core/model/ids.ts'
import type { RoundEnd, RoundEndKind } from '../../src/core/model/round.ts'
import type { RunEvent } from '../../src/core/model/run-event.ts'
import type { Task } from '../../src/core/model/task.ts'
import type { Totals } from '../../src/core/model/usage.ts'
import { type Finding, finding, PLAIN_RECEIPT, type Receipt } from '../../src/core/model/verdict.ts'
import { roundEnded, roundStarted, spec } from '../given/given-attempt.ts'
import { ended, givenSettings, givenTask, started } from '../given/given-run.ts'
import { FactWriter } from './facts.ts'
import type { GoldenProject } from './project.ts'

/** Current time when the showcase is rendered. */
export const NOON = Date.UTC(2026, 10, 15, 12)

const milestone = {
  id: 'first' as MilestoneId,
  title: 'The first things',
  brief: 'All that others build on.',
  after: null,
}

/** Run in progress: a task in every state, wide characters, long titles, texts of several lines. */
const TASKS: readonly Task[] = [
  givenTask('greet', [], {
    title: 'A function that greets',
    brief:
      'Add greet(name) in src/greet.js.\n\nIt answers "Hello, NAME!":\n  - without a name, "Hello!"\n  - a name of several words is greeted as a whole, however long it may be and wherever its spaces are',
    acceptance: ['greet("Ada") is "Hello, Ada!"', 'greet("") is "Hello!"'],
    verify: ['node -e "process.exit(0)"'],
    files: ['src/greet.js'],
    milestone: milestone.id,
    priority: 2,
  }),
  givenTask('国際化', ['greet'], {
    title: '挨拶を日本語でも返せるようにする 🚀（長いタイトルは端末の幅を超えることがあります）',
    type: 'feature',
  }),
  givenTask('shout', ['greet'], {
    title:
      'The same, louder: upper case and an exclamation mark, in a way that leaves everything else as it was before and after',
  }),
  givenTask('limits', ['greet'], { title: 'Waits for a usage limit' }),
  givenTask('colours', ['greet'], { title: 'Needs to know a colour' }),
  givenTask('broken', ['greet'], { title: 'Cannot be done' }),
  givenTask('after-broken', ['broken'], { title: 'Comes after what failed' }),
  givenTask('unwanted', ['greet'], { title: 'Is done without' }),
  givenTask('last', ['shout', '国際化', 'limits'], { title: 'Comes at the end' }),
]

const RUN = '2026-11-15-0900-abcd'
const reds: readonly Finding[] = [
  finding('tests', '"npm test" ended with exit code 1: 142 passed, 1 failed (vitest)', {
    excerpt: 'FAIL src/greet.test.js > greets',
  }),
  finding('tests', 'greets: expected "Hello" to be "Hello!"', {
    file: 'src/greet.test.js',
    line: 4,
  }),
]

/** Writes the showcase's facts and makes the commits that they name. */
export async function recordShowcase(project: GoldenProject): Promise<void> {
  const line = project.commit('first', { 'README.md': '# hello\n' }) as Commit
  project.git('checkout', '--quiet', '-b', 'longhaul/greet-a2')
  const work = project.commit('greet: A function that greets', {
    'src/greet.js': 'export function greet(name) {\n  return name === "" ? "Hello!" : "Hello, " + name + "!"\n}\n',
    'docs/こんにちは.md': 'greet("Ada")\n',
  }) as Commit
  project.git('checkout', '--quiet', 'main')
  const merged = project.merge(work) as Commit
  const writer = new FactWriter(RUN, Date.UTC(2026, 10, 15, 9))
  writer.run(...opening(line))
  failedAttempt(writer, line)
  landedAttempt(writer, line, work, merged)
  others(writer, merged)
  await project.record(writer.facts, new Map([[NOTE_DIGEST, NOTE]]))
}

function opening(line: Commit): readonly RunEvent[] {
  return [
    {
      kind: 'run-opened',
      run: RUN as RunId,
      target: 'main',
      spentBefore: {},
      samplesBefore: {},
      knowledgeBefore: [],
      proposalsBefore: [],
    },
    { kind: 'settings-adopted', values: givenSettings(), digest: 'd', changed: [], fixed: [] },
    { kind: 'milestone-added', milestone },
    ...TASKS.map((task): RunEvent => ({ kind: 'task-added', task, attemptsBefore: 0 })),
    { kind: 'engine-started', pid: 4711 },
    { kind: 'line-opened', line, tree: tree(line), target: line },
    { kind: 'baseline-checked', commit: line, passed: true, receipts: [receipt(line)], findings: [] },
  ]
}

function failedAttempt(writer: FactWriter, line: Commit): void {
  const commit = 'c0ffee00'.repeat(5) as Commit
  const verdict = { commit, passed: false, receipts: [receipt(commit, 1)], findings: reds }
  writer
    .run({ ...begun('greet', 1), base: line } as RunEvent)
    .attempt('greet-a1', ...opened('greet', 1, line), round(1))
    .later(20)
    .attempt('greet-a1', usage(1), usage(2), roundOver(1, 2, 'max-turns', { detail: 'The turns were used up.' }))
    .attempt(
      'greet-a1',
      saved(commit, 1),
      round(2, 'greet-a1', 20),
      usage(3),
      roundOver(2, 3, 'ok', { claim: { kind: 'done' } }),
    )
    .attempt('greet-a1', saved(commit, 1), { kind: 'phase-entered', phase: 'verify', why: 'the agent says it is done' })
    .attempt('greet-a1', { kind: 'verdict-given', ...verdict })
    .attempt('greet-a1', { kind: 'notice-recorded', text: 'the hook before_remove failed (exit code 1)' })
    .attempt(
      'greet-a1',
      ...over('failed', 'checks', 'came back 3 times already: "npm test" ended with exit code 1', commit),
    )
    .run(
      ended('greet', {
        attempt: 'greet-a1' as AttemptId,
        reason: 'came back 3 times already: "npm test" ended with exit code 1',
        commit,
        findings: reds,
        totals: totalsOf(3),
      }),
    )
}

function landedAttempt(writer: FactWriter, line: Commit, work: Commit, merged: Commit): void {
  const [attempt, landing] = ['greet-a2' as AttemptId, 'greet-a2' as LandingId]
  const receipts = [receipt(merged), { ...receipt(merged, 1), gate: 'lint', command: 'npm run lint', blocking: false }]
  writer
    .run({ ...begun('greet', 2), base: line, reason: 'slot 1 of 3 (retry after greet-a1: checks)' } as RunEvent)
    .attempt('greet-a2', ...opened('greet', 2, line), round(1, 'greet-a2'), usage(4, 'greet-a2'))
    .attempt('greet-a2', roundOver(1, 1, 'ok', { claim: { kind: 'done' } }), saved(work, 2))
    .attempt('greet-a2', { kind: 'verdict-given', commit: work, passed: true, receipts: [receipt(work)], findings: [] })
    .attempt('greet-a2', { kind: 'ready-to-land', commit: work, tree: tree(work) })
    .run({ kind: 'attempt-ready', attempt, seq: 8, commit: work, tree: tree(work) })
    .run({ kind: 'candidate-prepared', landing, line, base: line, commit: merged, tree: tree(merged), target: line })
    .run({ kind: 'candidate-checked', landing, commit: merged, receipts })
    .run({ kind: 'landed', attempt, tasks: ['greet' as TaskId], commit: merged, receipts })
    .run({ kind: 'target-followed', commit: merged })
    .attempt('greet-a2', ...over('landed', 'landed', `landed as ${merged.slice(0, 10)}`, work))
    .run(
      ended('greet', {
        attempt,
        outcome: 'landed',
        cause: 'landed',
        reason: `landed as ${merged.slice(0, 10)}`,
        commit: work,
        totals: totalsOf(1),
      }),
    )
}

function others(writer: FactWriter, line: Commit): void {
  const until = NOON + 3_600_000
  writer
    .run({ ...begun('国際化', 1), base: line } as RunEvent, { ...begun('limits', 1), base: line } as RunEvent)
    .run({ ...begun('colours', 1), base: line } as RunEvent)
    .attempt('国際化-a1', ...opened('国際化', 1, line), round(1, '国際化-a1'), usage(5, '国際化-a1'))
    .attempt('国際化-a1', ...handOff('国際化-a1'))
    .run({
      kind: 'attempt-waiting',
      attempt: 'limits-a1' as AttemptId,
      seq: 1,
      reason: 'usage limit: 429',
      for: { kind: 'limit', credential: 'scripted', until, estimated: false },
    })
    .run({ kind: 'limit-hit', credential: 'scripted', until, estimated: false })
    .run({
      kind: 'attempt-waiting',
      attempt: 'colours-a1' as AttemptId,
      seq: 1,
      reason: 'the agent is blocked',
      for: askPerson('answer', 'asks: which colour, red or green?', [givenTask('colours')]),
    })
    .run(...contributionsOf('colours-a1' as AttemptId))
    .run({ kind: 'task-failed', task: 'broken' as TaskId, reason: 'stopped by the user' })
    .run({ kind: 'task-skipped', task: 'unwanted' as TaskId, reason: 'skipped by the user', dependents: [] })
}

/** Returns a proposal and knowledge of an agent. */
function contributionsOf(attempt: AttemptId): readonly RunEvent[] {
  const proposal = {
    id: 'contrast' as TaskId,
    title: 'Colours that everybody can tell apart',
    after: ['colours' as TaskId],
    brief: 'Red and green look the same to some people. Choose two that do not, and say which in docs/colours.md.',
    acceptance: ['The two differ in brightness, too'],
    verify: ['npm run contrast'],
  }
  const knowledge = {
    text: 'Colours come from src/theme.js; the CSS is made from it.',
    files: ['src/theme.js', '*.css'],
  }
  return [
    { kind: 'task-proposed', attempt, seq: 2, proposal },
    { kind: 'knowledge-recorded', attempt, seq: 3, knowledge },
  ]
}

const NOTE = `## Goal
Greet in Japanese, too.
## Completed
- src/greet.js: 挨拶 takes a language; everything else in this file is as it was before and must stay that way
## Remaining
1. Tests for it.
2. The README.

## Do not redo
- Intl.DisplayNames has no greetings.
## Decisions
- The language is a parameter, not a setting.`
const NOTE_DIGEST = createHash('sha256').update(NOTE).digest('hex')

/** Writes a hand-off: a full session leaves a note, and a fresh one continues. */
function handOff(attempt: string): readonly AttemptEvent[] {
  const session = sessionOf(attempt)
  const detail = 'The session was asked to hand over.'
  return [
    { kind: 'hand-off-started', session, used: 168_200, size: 200_000, share: 0.841, when: 'boundary' },
    roundOver(1, 1, 'context-exhausted', { detail }),
    { kind: 'session-handed-off', session, note: NOTE_DIGEST, quality: 'whole', totals: totalsOf(1) },
    { ...round(2, attempt), session: NEXT_SESSION, cause: { kind: 'fresh-session', why: detail } } as AttemptEvent,
  ]
}

const NEXT_SESSION = '44444444-4444-4444-8444-444444444444' as SessionId

const sessions = new Map([
  ['greet-a1', '11111111-1111-4111-8111-111111111111'],
  ['greet-a2', '22222222-2222-4222-8222-222222222222'],
  ['国際化-a1', '33333333-3333-4333-8333-333333333333'],
])

function sessionOf(attempt: string): SessionId {
  return sessions.get(attempt) as SessionId
}

function begun(task: string, number: number): RunEvent {
  return started(task, number)
}

function opened(task: string, number: number, base: Commit): readonly AttemptEvent[] {
  const attempt = `${task}-a${number}` as AttemptId
  const wanted = TASKS.filter(({ id }) => id === task)
  return [
    { kind: 'attempt-opened', spec: spec({ attempt, number, base, tasks: wanted }) },
    { kind: 'workspace-made', commit: base },
    { kind: 'phase-entered', phase: 'implement', why: 'the workspace is ready' },
    { kind: 'session-opened', session: sessionOf(attempt), driver: 'scripted', model: 'scripted', cli: null },
  ]
}

function round(number: number, attempt = 'greet-a1', turnsMax = 10): AttemptEvent {
  const cause = number === 1 ? { kind: 'brief' as const } : { kind: 'continue' as const, why: 'the turns were used up' }
  return { ...roundStarted(number, cause), session: sessionOf(attempt), turnsMax } as AttemptEvent
}

const TURN = { input: 1200, cacheRead: 45_000, cacheWrite: 3000, output: 850 }
const TURN_USD = 0.0425

function usage(message: number, attempt = 'greet-a1'): AttemptEvent {
  const used = {
    session: sessionOf(attempt),
    message: `m${message}`,
    model: 'scripted',
    scope: 'main' as const,
    hourCacheWrite: 0,
    tokens: TURN,
    window: 200_000,
  }
  return { kind: 'usage-observed', usage: used, usd: TURN_USD, day: '2026-11-15' }
}

function saved(commit: Commit, changed: number): AttemptEvent {
  return {
    kind: 'checkpoint-made',
    commit,
    tree: tree(commit),
    changed,
    nested: [],
    history: null,
  }
}

/** Returns the usage of a number of turns. */
function totalsOf(turns: number): Totals {
  const { input, cacheRead, cacheWrite, output } = TURN
  const tokens = {
    input: turns * input,
    cacheRead: turns * cacheRead,
    cacheWrite: turns * cacheWrite,
    output: turns * output,
  }
  return { usd: turns * TURN_USD, turns, tokens, usdByDay: { '2026-11-15': turns * TURN_USD } }
}

/** Ends a round, with the number of turns that the attempt has made so far. */
function roundOver(round: number, turns: number, kind: RoundEndKind, more: Partial<RoundEnd>): AttemptEvent {
  return { ...roundEnded(round, kind, more), usd: TURN_USD, totals: totalsOf(turns) } as AttemptEvent
}

type End = Extract<AttemptEvent, { kind: 'attempt-ended' }>

function over(outcome: End['outcome'], cause: End['cause'], reason: string, commit: Commit): readonly AttemptEvent[] {
  const findings = outcome === 'landed' ? [] : reds
  return [
    { kind: 'workspace-released', kept: outcome !== 'landed', salvage: [] },
    {
      kind: 'attempt-ended',
      outcome,
      cause,
      reason,
      phase: 'verify',
      note: null,
      commit,
      totals: totalsOf(outcome === 'landed' ? 1 : 3),
      activeMs: 60_000,
      longest: null,
      findings,
    },
  ]
}

function receipt(commit: Commit, exitCode = 0): Receipt {
  return {
    ...PLAIN_RECEIPT,
    gate: 'tests',
    command: 'npm test',
    exitCode,
    timedOut: false,
    durationMs: 12_345,
    commit,
    tree: tree(commit),
    outputDigest: 'a1'.repeat(32),
    environmentDigest: 'b2'.repeat(32),
    passed: exitCode === 0,
    blocking: true,
    tests: { framework: 'vitest', passed: 142, failed: exitCode, skipped: 0, durationMs: 11_000 },
    coverage: exitCode === 0 ? 0.875 : null,
  }
}

/** Derives a tree id from a commit id; its value does not matter here. */
function tree(commit: Commit): Tree {
  return [...commit].toReversed().join('') as Tree
}

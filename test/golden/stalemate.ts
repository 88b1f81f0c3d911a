import { askApproval } from '../../src/core/attempt/ask-person.ts'
import type { Issue } from '../../src/core/model/agent-report.ts'
import type { AttemptEvent, RoundCause } from '../../src/core/model/attempt-event.ts'
import type { AttemptId, Commit, RunId, SessionId, Tree } from '../../src/core/model/ids.ts'
import type { RunEvent } from '../../src/core/model/run-event.ts'
import { NO_TOKENS, type Totals } from '../../src/core/model/usage.ts'
import { finding, PLAIN_RECEIPT, type Receipt } from '../../src/core/model/verdict.ts'
import type { PhaseSpec, Workflow } from '../../src/core/model/workflow.ts'
import { reviewFindings } from '../../src/core/phases/review-findings.ts'
import { roundEnded, roundStarted, spec } from '../given/given-attempt.ts'
import { ended, givenSettings, givenTask, started } from '../given/given-run.ts'
import { PLAIN_WORKFLOWS } from '../given/plain-workflows.ts'
import { FactWriter } from './facts.ts'
import type { GoldenProject } from './project.ts'

const TASK = givenTask('parse', [], {
  title: 'Durations with several units',
  brief: 'parse("1h 30m") is 5400000.\n\nUnits come from the largest to the smallest; anything else is refused.',
  acceptance: ['parse("30m 1h") is refused', 'parse("") is refused'],
  verify: ['node --test'],
})
const RUN = '2026-11-15-0900-feed'
const RED = [
  finding('tests', '"npm test" ended with exit code 1: 141 passed, 1 failed (vitest)', { excerpt: 'FAIL' }),
  finding('tests', 'refuses units in the wrong order: expected 5400000 to be null', {
    file: 'src/parse.test.js',
    line: 12,
  }),
]
const ISSUES: readonly Issue[] = [
  { severity: 'high', file: 'src/parse.js', line: 7, message: 'units in the wrong order are added up, not refused' },
  { severity: 'medium', file: 'src/parse.js', line: 2, message: 'the empty string is zero and should be refused' },
]

/** Writes the facts of a stuck task: a failed attempt, and one that a review rejected twice. */
export async function recordStalemate(project: GoldenProject): Promise<void> {
  const line = project.commit('first', { 'README.md': '# durations\n' }) as Commit
  const saves = ['one', 'two', 'three'].map((name, index) => {
    project.git('checkout', '--quiet', '-b', name, ...(index === 2 ? [] : [line]))
    const source = `export function parse(text) {\n  return ${'0 + '.repeat(index)}text.length\n}\n`
    return project.commit(`parse ${name}`, { 'src/parse.js': source, 'src/parse.test.js': '// tests\n' }) as Commit
  })
  project.git('checkout', '--quiet', 'main')
  const [first, second, third] = saves as [Commit, Commit, Commit]
  const writer = new FactWriter(RUN, Date.UTC(2026, 10, 15, 9))
  writer.run(...opening(line))
  failed(writer, line, first)
  stopped(writer, line, second, third)
  await project.record(writer.facts)
}

function opening(line: Commit): readonly RunEvent[] {
  const before = { spentBefore: {}, samplesBefore: {}, knowledgeBefore: [], proposalsBefore: [] }
  return [
    { kind: 'run-opened', run: RUN as RunId, target: 'main', ...before },
    { kind: 'settings-adopted', values: givenSettings(), digest: 'd', changed: [], fixed: [] },
    { kind: 'task-added', task: TASK, attemptsBefore: 0 },
    { kind: 'task-added', task: givenTask('compare', ['parse']), attemptsBefore: 0 },
    { kind: 'engine-started', pid: 4711 },
    { kind: 'line-opened', line, tree: 'tree' as Tree, target: line },
  ]
}

/** Writes an attempt whose checks fail twice without a change in between. */
function failed(writer: FactWriter, line: Commit, commit: Commit): void {
  const verdict: AttemptEvent = {
    kind: 'verdict-given',
    commit,
    passed: false,
    receipts: [receipt(commit)],
    findings: RED,
  }
  const back: AttemptEvent = { kind: 'work-returned', from: 'verify', to: 'implement', findings: RED }
  const reason = 'nothing changed since the same was found: "npm test" ended with exit code 1'
  const over = { outcome: 'failed', cause: 'no-progress', reason, findings: RED } as const
  writer
    .run({ ...started('parse', 1), base: line } as RunEvent)
    .attempt('parse-a1', ...opened(1, line), round(1, 'implement'), ...done(1, 4), saved(commit), verdict, back)
    .attempt('parse-a1', round(2, 'implement', { kind: 'findings', from: 'verify', findings: RED }), ...done(2, 7))
    .attempt('parse-a1', saved(commit), verdict, { kind: 'attempt-closing', ...over })
    .attempt('parse-a1', { kind: 'workspace-released', kept: true, salvage: ['refs/longhaul/salvage/parse-a1/1'] })
    .run(ended('parse', { ...over, commit, totals: totalsOf(7) }))
}

/** Writes an attempt whose review finds the same issues again after a round of fixes. */
function stopped(writer: FactWriter, line: Commit, second: Commit, third: Commit): void {
  const findings = reviewFindings({ issues: ISSUES, questions: [], positives: [], decision: null })
  const back: AttemptEvent = { kind: 'work-returned', from: 'review', to: 'implement', findings }
  const reason =
    'stalemate: the review finds the same again: high: src/parse.js:7 units in the wrong order are added up'
  const wait = { for: askApproval('review', reason, [TASK]), reason }
  writer
    .run({ ...started('parse', 2), base: line, reason: 'parse-a1 ended; slot 1 of 3' } as RunEvent)
    .attempt('parse-a2', ...opened(2, line), round(1, 'implement'), ...done(1, 5), saved(second))
    .attempt('parse-a2', { kind: 'phase-entered', phase: 'review', why: 'the checks passed' })
    .attempt('parse-a2', round(2, 'review'), ...done(2, 8), round(3, 'review', { kind: 'decide' }))
    .attempt('parse-a2', reviewed(3), ...done(3, 9), back)
    .attempt(
      'parse-a2',
      round(4, 'implement', { kind: 'findings', from: 'review', findings }),
      ...done(4, 12),
      saved(third),
    )
    .attempt('parse-a2', { kind: 'phase-entered', phase: 'review', why: 'the checks passed' })
    .attempt('parse-a2', round(5, 'review'), ...done(5, 14), round(6, 'review', { kind: 'decide' }))
    .attempt('parse-a2', reviewed(6), ...done(6, 15), { kind: 'attempt-waiting', ...wait })
    .run({ kind: 'attempt-waiting', attempt: 'parse-a2' as AttemptId, seq: 32, ...wait })
}

function opened(number: number, base: Commit): readonly AttemptEvent[] {
  const attempt = `parse-a${number}` as AttemptId
  return [
    { kind: 'attempt-opened', spec: spec({ attempt, number, base, tasks: [TASK], workflow: WORKFLOW }) },
    { kind: 'workspace-made', commit: base },
  ]
}

const [IMPLEMENT] = PLAIN_WORKFLOWS.small.phases as [PhaseSpec]
const WORKFLOW: Workflow = {
  ...PLAIN_WORKFLOWS.small,
  phases: [...PLAIN_WORKFLOWS.small.phases, { ...IMPLEMENT, name: 'review', role: 'reviewer', backTo: 'implement' }],
}

function round(number: number, phase: string, cause: RoundCause = { kind: 'brief' }): AttemptEvent {
  return { ...roundStarted(number, cause), phase, session: `${phase}-session` as SessionId } as AttemptEvent
}

/** Ends a round, with the number of turns that the attempt has made so far. */
function done(number: number, turns: number): readonly AttemptEvent[] {
  const end = roundEnded(number, 'ok', { detail: '', claim: { kind: 'done' } })
  return [{ ...end, usd: 0, totals: totalsOf(turns) } as AttemptEvent]
}

function reviewed(number: number): AttemptEvent {
  const decision = { kind: 'fail', reason: 'not what was asked for' } as const
  const review = { issues: ISSUES, questions: [], positives: [], decision }
  return { kind: 'work-reported', round: number, report: { kind: 'review', review } }
}

function saved(commit: Commit): AttemptEvent {
  const kept = { tree: 'tree' as Tree, changed: 2, nested: [], history: null }
  return { kind: 'checkpoint-made', commit, ...kept }
}

function totalsOf(turns: number): Totals {
  return { usd: turns * 0.05, turns, tokens: { ...NO_TOKENS, input: turns * 900, output: turns * 80 }, usdByDay: {} }
}

function receipt(commit: Commit): Receipt {
  return {
    ...PLAIN_RECEIPT,
    gate: 'tests',
    command: 'npm test',
    exitCode: 1,
    timedOut: false,
    durationMs: 12_345,
    commit,
    tree: 'c0ffee'.repeat(6) as Tree,
    outputDigest: 'a1'.repeat(32),
    environmentDigest: 'b2'.repeat(32),
    passed: false,
    blocking: true,
    tests: { framework: 'vitest', passed: 141, failed: 1, skipped: 0, durationMs: 11_000 },
  }
}

import type { AttemptSpec } from '../../src/core/model/attempt.ts'
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
import type { RunEvent } from '../../src/core/model/run-event.ts'
import type { Settings } from '../../src/core/model/settings.ts'
import type { Task } from '../../src/core/model/task.ts'
import { NO_TOTALS } from '../../src/core/model/usage.ts'
import { finding, PLAIN_RECEIPT, type Receipt } from '../../src/core/model/verdict.ts'

import { LIMITS } from './given-run.ts'

const commit = '0123456789abcdef0123456789abcdef01234567' as Commit
const tree = commit as string as Tree
const [run, task, attempt, landing] = ['r1' as RunId, 't1' as TaskId, 't1-a1' as AttemptId, 't1-a1' as LandingId]
const findings = [finding('tests', '"npm test" ended\nwith exit code 1', { excerpt: 'long' })]
const receipts = [
  {
    ...{ gate: 'tests', passed: true, ...PLAIN_RECEIPT, coverage: 0.875 },
    tests: { framework: 'vitest', passed: 142, failed: 0, skipped: 3, durationMs: 900 },
  },
  { gate: 'lint', passed: false, ...PLAIN_RECEIPT },
] as unknown as readonly Receipt[]
const wanted = { id: task, title: 'Fix it', after: [] as TaskId[] } as unknown as Task
const milestone = { id: 'm1' as MilestoneId, title: 'First', brief: '', after: null }
const settings = { agent: { driver: 'scripted' }, limits: { parallel: 3 }, gates: [] } as unknown as Settings
const spec = { base: commit, agent: { driver: 'scripted' } } as unknown as AttemptSpec

const proposal = {
  ...{ id: 't2' as TaskId, title: 'Then\nthat', brief: '', after: [task], acceptance: [], verify: ['npm test'] },
}
const knowledge = { text: 'mind the\ngap', files: ['src/**'] }

/** One fact of each kind of a run's ledger. */
export const RUN_EVENTS: { readonly [Kind in RunEvent['kind']]: Extract<RunEvent, { kind: Kind }> } = {
  'run-opened': {
    kind: 'run-opened',
    run,
    target: 'main',
    spentBefore: {},
    samplesBefore: {},
    knowledgeBefore: [],
    proposalsBefore: [],
  },
  'proposal-accepted': { kind: 'proposal-accepted', task, reason: 'decided by a person' },
  'proposal-declined': { kind: 'proposal-declined', task, reason: 'decided by a person' },
  'engine-started': { kind: 'engine-started', pid: 7 },
  'settings-adopted': { kind: 'settings-adopted', values: settings, digest: 'd' },
  'milestone-added': { kind: 'milestone-added', milestone },
  'milestone-changed': { kind: 'milestone-changed', milestone },
  'milestone-summed-up': {
    ...{ kind: 'milestone-summed-up', milestone: milestone.id, summary: 'd', by: 'facts' },
    ...{ why: 'there is no judge', totals: NO_TOTALS },
  },
  'task-added': { kind: 'task-added', task: wanted, attemptsBefore: 0 },
  'task-changed': { kind: 'task-changed', task: wanted },
  'line-opened': { kind: 'line-opened', line: commit, tree, target: commit },
  'baseline-checked': { kind: 'baseline-checked', commit, passed: false, receipts, findings },
  'attempt-started': {
    ...{ kind: 'attempt-started', attempt, tasks: [task], number: 1, base: commit, allowance: null, retryBrief: null },
    ...{ limits: LIMITS, credential: 'scripted', knowledge: '' },
    reason: 'it waits for nothing',
  },
  'attempt-waiting': {
    ...{ kind: 'attempt-waiting', attempt, seq: 3, reason: 'usage limit: 429' },
    for: { kind: 'limit', credential: 'scripted', until: 1, estimated: true },
  },
  'attempt-answered': {
    kind: 'attempt-answered',
    attempt,
    answer: { kind: 'rejected', text: 'not\nso' },
    reason: 'a person has rejected it',
  },
  'attempt-resumed': { kind: 'attempt-resumed', attempt, stretch: 2, reason: 'the usage limit is over' },
  'attempt-ready': { kind: 'attempt-ready', attempt, seq: 4, commit, tree },
  'attempt-stopping': { kind: 'attempt-stopping', attempt, cause: 'stopped', reason: 'stopped by a person' },
  'attempt-told': { kind: 'attempt-told', attempt, seq: 5, id: 'stop' },
  'task-proposed': { kind: 'task-proposed', attempt, seq: 6, proposal },
  'knowledge-recorded': { kind: 'knowledge-recorded', attempt, seq: 7, knowledge },
  'attempt-ended': {
    ...{ kind: 'attempt-ended', attempt, seq: 6, outcome: 'failed', cause: 'checks', reason: 'red', commit },
    ...{ phase: 'verify', note: null, totals: NO_TOTALS, activeMs: 1, longest: null, findings },
  },
  'candidate-prepared': {
    kind: 'candidate-prepared',
    landing,
    line: commit,
    base: commit,
    commit,
    tree,
    target: commit,
  },
  'candidate-checked': { kind: 'candidate-checked', landing, commit, receipts },
  'candidate-refused': { kind: 'candidate-refused', landing, cause: 'checks', line: commit, findings, receipts },
  landed: { kind: 'landed', attempt, tasks: [task], commit, receipts },
  'landing-held': { kind: 'landing-held', reason: 'rewritten.', hint: 'Look.' },
  'target-followed': { kind: 'target-followed', commit },
  'target-held': { kind: 'target-held', commit, reason: 'dirty', command: 'git merge' },
  'sync-asked': { kind: 'sync-asked', line: commit, reason: 'diverged' },
  synced: { kind: 'synced', commit, receipts },
  'run-paused': { kind: 'run-paused', reason: 'asked for by a person' },
  'run-resumed': { kind: 'run-resumed', reason: 'asked for by a person' },
  'task-skipped': { kind: 'task-skipped', task, reason: 'skipped by a person', dependents: [task] },
  'task-steered': { kind: 'task-steered', task, number: 1, text: 'use the\nnew parser' },
  'task-held': { kind: 'task-held', task, reason: 'spent', hint: 'Raise it.' },
  'task-failed': { kind: 'task-failed', task, reason: 'red' },
  'task-reopened': { kind: 'task-reopened', task, reason: 'retried' },
  'revert-asked': { kind: 'revert-asked', task, reason: 'asked' },
  reverted: { kind: 'reverted', task, commit, receipts },
  'revert-refused': { kind: 'revert-refused', task, reason: 'conflict', findings },
  'limit-hit': { kind: 'limit-hit', credential: 'scripted', until: 1, estimated: false },
  'limit-cleared': { kind: 'limit-cleared', credential: 'scripted', reason: 'its reset time has come' },
  'budget-crossed': { kind: 'budget-crossed', budget: 'run', task: null, share: 0.5, usd: 5, limitUsd: 10 },
  'run-ended': { kind: 'run-ended', done: 1, failed: 0, reason: 'every task is done' },
  'run-reopened': { kind: 'run-reopened', reason: 't1 is retried' },
}

const session = '5f0c1f7e-3c55-4c53-8c49-0a1f1b4f6a01' as SessionId
const usage = {
  session,
  message: 'm',
  model: 'x',
  scope: 'main' as const,
  hourCacheWrite: 0,
  tokens: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 },
  window: null,
}
/** One fact of each kind of an attempt's ledger. */
export const ATTEMPT_EVENTS: { readonly [Kind in AttemptEvent['kind']]: Extract<AttemptEvent, { kind: Kind }> } = {
  'attempt-opened': { kind: 'attempt-opened', spec },
  'workspace-made': { kind: 'workspace-made', commit },
  'workspace-missed': { kind: 'workspace-missed', reason: 'gone', commit },
  'phase-entered': { kind: 'phase-entered', phase: 'verify', why: 'done' },
  'round-started': {
    ...{ kind: 'round-started', round: 2, phase: 'implement', phaseRound: 2, session, turnsMax: 9, deadlineAt: 1 },
    cause: { kind: 'findings', from: 'verify', findings },
  },
  'session-opened': { kind: 'session-opened', session, driver: 'scripted', model: 'scripted', cli: '2.1.0' },
  'work-reported': {
    ...{ kind: 'work-reported', round: 2 },
    report: { kind: 'claim', claim: { kind: 'blocked', reason: 'which\none?' } },
  },
  'progress-told': { kind: 'progress-told', round: 2, text: 'half\ndone' },
  'note-left': { kind: 'note-left', round: 2, session, note: 'd', quality: 'whole' },
  'task-proposed': { kind: 'task-proposed', round: 2, proposal },
  'knowledge-recorded': { kind: 'knowledge-recorded', round: 2, knowledge },
  'usage-observed': { kind: 'usage-observed', usage, usd: null, day: '2026-11-15' },
  'context-warned': { kind: 'context-warned', session, used: 70, size: 100, share: 0.7 },
  'context-untracked': { kind: 'context-untracked', session },
  'hand-off-begun': { kind: 'hand-off-begun', session, used: 80, size: 100, share: 0.8, when: 'boundary' },
  'session-handed-off': { kind: 'session-handed-off', session, note: 'd', quality: 'whole', totals: NO_TOTALS },
  'allowance-crossed': { kind: 'allowance-crossed', budget: 'task', share: 0.5, usd: 1, limitUsd: 2 },
  'session-quiet': { kind: 'session-quiet', round: 1, silentMs: 120_000, activity: 'waiting' },
  'tool-denied': { kind: 'tool-denied', round: 1, tool: 'Write', reason: 'outside of\nthe workspace' },
  'context-compacted': { kind: 'context-compacted', session, trigger: 'auto' },
  'cost-drifted': { kind: 'cost-drifted', round: 1, usd: 0.1, agentUsd: 0.2 },
  'round-ended': {
    ...{ kind: 'round-ended', round: 1, activeMs: 5, usd: 0.1, totals: NO_TOTALS },
    end: {
      kind: 'ok',
      detail: 'fine',
      claim: { kind: 'blocked', reason: 'which\ncolour?' },
      resetAt: null,
      note: null,
    },
  },
  'checkpoint-made': {
    kind: 'checkpoint-made',
    commit,
    tree,
    changed: 1,
    protectedChanged: [],
    nested: [],
    history: null,
  },
  'steering-kept': { kind: 'steering-kept', number: 1, round: 2, reason: 'it takes no words' },
  'steering-given': { kind: 'steering-given', number: 1, round: 2, way: 'prompt' },
  noted: { kind: 'noted', text: 'the hook before_remove failed' },
  'verdict-given': { kind: 'verdict-given', commit, passed: true, receipts, findings: [] },
  'opinion-asked': { kind: 'opinion-asked', phase: 'verify', commit },
  'opinion-given': {
    ...{ kind: 'opinion-given', phase: 'verify', commit, confidence: 0.9, decision: 'retry' },
    quality: { syntax: 1, requirements: 0.4, quality: 0.8, testing: 0.699 },
    why: 'requirements 0.40 of 0.70:\nhalf of it',
  },
  'work-assessed': { kind: 'work-assessed', as: 'partial', why: 'its turns are used up:\nred' },
  'phase-output': { kind: 'phase-output', phase: 'spec', text: 'd1' },
  'round-asked': { kind: 'round-asked', cause: { kind: 'decide' } },
  'work-submitted': { kind: 'work-submitted', phase: 'implement', why: 'the agent says it is done' },
  'work-returned': { kind: 'work-returned', from: 'verify', to: 'implement', findings },
  'attempt-waiting': { kind: 'attempt-waiting', for: { kind: 'retry', until: 1 }, reason: 'overloaded' },
  'ready-to-land': { kind: 'ready-to-land', commit, tree },
  told: { kind: 'told', id: 'landed', message: { kind: 'landed', commit } },
  'attempt-closing': { kind: 'attempt-closing', outcome: 'failed', cause: 'checks', reason: 'red', findings },
  'workspace-released': { kind: 'workspace-released', kept: true, salvage: ['refs/longhaul/salvage/t1-a1'] },
  'attempt-ended': {
    ...{ kind: 'attempt-ended', outcome: 'landed', cause: 'landed', reason: 'landed', commit, totals: NO_TOTALS },
    ...{ phase: 'verify', note: null, activeMs: 1, longest: { turns: 3, ms: 1 }, findings: [] },
  },
}

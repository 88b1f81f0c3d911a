import { Command } from 'commander'
import { expect, test } from 'vitest'
import type { LedgerId } from '../../../core/model/ids.ts'
import { logFilter, offerLogFilter } from './log-filter.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const HOUR = 3_600_000
const facts = [
  fact('run/r1', NOW - 30 * HOUR, { kind: 'task-failed', task: 't1', reason: 'red' }),
  fact('run/r1', NOW - 3 * HOUR, { kind: 'attempt-stopping', attempt: 't1-a2', cause: 'stopped', reason: 'asked' }),
  fact('attempt/t1-a2', NOW - HOUR, { kind: 'workspace-made', commit: 'c' }),
  fact('attempt/t2-a1', NOW - HOUR, { kind: 'notice-recorded', text: 'a note' }),
  fact('run/r1', NOW, { kind: 'run-reopened', reason: 'retried' }),
]

test.each([
  [[], ['task-failed', 'attempt-stopping', 'workspace-made', 'notice-recorded', 'run-reopened']],
  [
    ['--task', 't1'],
    ['task-failed', 'attempt-stopping', 'workspace-made'],
  ],
  [
    ['--attempt', 't1-a2'],
    ['attempt-stopping', 'workspace-made'],
  ],
  [
    ['--kind', 'notice-recorded,task-failed'],
    ['task-failed', 'notice-recorded'],
  ],
  [
    ['--level', 'notice'],
    ['task-failed', 'attempt-stopping', 'run-reopened'],
  ],
  [
    ['--level', 'warning'],
    ['task-failed', 'attempt-stopping'],
  ],
  [['--level', 'problem'], ['task-failed']],
  [
    ['--since', '1d'],
    ['attempt-stopping', 'workspace-made', 'notice-recorded', 'run-reopened'],
  ],
  [
    ['--since', '90m'],
    ['workspace-made', 'notice-recorded', 'run-reopened'],
  ],
  [['--since', '2026-11-15T11:30Z'], ['run-reopened']],
  [['--since', '1d', '--task', 't1', '--level', 'warning'], ['attempt-stopping']],
])('%j chooses %j', (args, kinds) => {
  expect(facts.filter(logFilter(typed(args), NOW)).map(({ event }) => event.kind)).toEqual(kinds)
})

test.each([
  [['--kind', 'task-faild'], 'Did you mean task-failed?'],
  [['--level', 'loud'], 'Allowed choices are info, notice, warning, problem.'],
  [['--since', 'yesterday'], 'Use a date such as 2026-11-15T09:30, or 45m, 2h, 3d.'],
  [['--since', '2026-13-45'], 'Use a date such as 2026-11-15T09:30, or 45m, 2h, 3d.'],
])('%j is refused: %s', (args, why) => {
  expect(() => typed(args)).toThrow(why)
})

function typed(args: readonly string[]) {
  const command = new Command('log').exitOverride().configureOutput({ outputError: () => {} })
  offerLogFilter(command)
  command.parse([...args], { from: 'user' })
  return { args: [], options: command.opts() }
}

function fact(ledger: string, at: number, event: { readonly kind: string; readonly [key: string]: unknown }) {
  return { seq: 1, at, ledger: ledger as LedgerId, event }
}

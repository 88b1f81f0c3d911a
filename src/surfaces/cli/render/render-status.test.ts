import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import type { Commit, RunId, TaskId } from '../../../core/model/ids.ts'
import { newRun } from '../../../core/run/state.ts'
import { NO_RUN, type Status, type TaskStatus } from '../../../core/views/status.ts'
import { countsText, renderStatus, targetText, totalsText } from './render-status.ts'

const plain = { colors: picocolors.createColors(false), width: null }
const places = { stateFolder: '/r/.git/longhaul', workspacesHome: '/s/r-1' }
const line = '0'.repeat(40) as Commit

test('shows the run, each task with its reason, the totals and the folders', () => {
  const tasks = [
    task('a', { state: 'done', commit: '0123456789abcdef' as Commit, proof: 'gates: tests' }),
    task('b', { state: 'running', phase: 'verify', attempts: 2, reason: 'because' }),
  ]
  expect(renderStatus(status(tasks), newRun(), places, 0, plain)).toEqual([
    'Run r1 is running; work lands on main. 1 done, 1 running.',
    '  done          a               Task a: 0123456789, proof: gates: tests',
    '  running       b               Task b (verify, attempt 2): because',
    'Spent 0.00 USD in 0 turns: 0 tokens in (0 cached), 0 out.',
    'State: /r/.git/longhaul',
    'Workspaces: /s/r-1',
  ])
})

test('of many tasks, counts the idle ones and shows the others', () => {
  const tasks = Array.from({ length: 60 }, (_, index) =>
    task(`t${index}`, { state: index === 7 ? 'failed' : 'waiting' }),
  )
  const lines = renderStatus(status(tasks), newRun(), places, 0, plain)
  expect(lines[0]).toContain('1 failed, 59 waiting')
  expect(lines[1]).toContain('t7')
  expect(lines[2]).toBe('… and 59 more: longhaul status --json shows all.')
})

test('cuts lines to the terminal', () => {
  const lines = renderStatus(status([task('a', { reason: 'x'.repeat(200) })]), newRun(), places, 0, {
    ...plain,
    width: 40,
  })
  expect(lines.find((line) => line.startsWith('  '))).toMatch(/^.{39}…$/)
})

test('reasons that a person has to act on are shown in full, however narrow the terminal', () => {
  const reason = 'blocked: which of the two shall stay? Answer with "longhaul steer a TEXT".'
  const lines = renderStatus(
    status([task('a', { state: 'needs-person', phase: 'implement', reason })]),
    newRun(),
    places,
    0,
    {
      ...plain,
      width: 50,
    },
  )
  expect(lines.slice(2, 6)).toEqual([
    '  needs you     a               Task a (implement)',
    '                blocked: which of the two shall',
    '                stay? Answer with "longhaul steer',
    '                a TEXT".',
  ])
})

test('shows a revert that is pending or was refused beside the landed commit', () => {
  const landed = { state: 'done', commit: '0123456789abcdef' as Commit, proof: 'none' } as const
  const tasks = [
    task('a', { ...landed, revert: 'pending', reason: 'revert pending; happens with the next "longhaul run"' }),
    task('b', { ...landed, revert: 'refused', reason: 'was not reverted: c changed f.txt after it' }),
    task('d', { state: 'reverted', reason: 'reverted by 9876543210' }),
  ]
  const shown = (width: number | null) => {
    return renderStatus(status(tasks), newRun(), places, 0, { ...plain, width }).filter((line) => line.startsWith('  '))
  }
  expect(shown(null)).toEqual([
    '  done          a               Task a: 0123456789, proof: none; revert pending; happens with the next "longhaul run"',
    '  done          b               Task b: 0123456789, proof: none; was not reverted: c changed f.txt after it',
    '  reverted      d               Task d: reverted by 9876543210',
  ])
  expect(shown(80)).toEqual([
    '  done          a               Task a: 0123456789, proof: none',
    '                revert pending; happens with the next "longhaul run"',
    '  done          b               Task b: 0123456789, proof: none',
    '                was not reverted: c changed f.txt after it',
    '  reverted      d               Task d: reverted by 9876543210',
  ])
})

test('says how to update a target that is behind', () => {
  const behind: Status = { ...status([]), run: { ...someRun, targetBehind: true } }
  const state = newRun()
  state.line = { line, target: line }
  expect(targetText(behind, state)).toEqual(['main is behind what landed. To update it: longhaul run'])
  state.targetHeld = { commit: line, reason: 'it is dirty.', command: 'git merge --ff-only x', until: 0, tries: 1 }
  expect(targetText(behind, state)).toEqual([
    'main is behind what landed: it is dirty.',
    'To update it: git merge --ff-only x',
  ])
})

test('formats numbers so that they can be read', () => {
  const tokens = { input: 1_000_000, cacheRead: 234_567, cacheWrite: 0, output: 999 }
  expect(totalsText({ ...NO_RUN, totals: { usd: 1.239, turns: 12, tokens } })).toBe(
    'Spent 1.24 USD in 12 turns: 1,234,567 tokens in (234,567 cached), 999 out.',
  )
  expect(countsText(NO_RUN)).toBe('No tasks')
})

const someRun: NonNullable<Status['run']> = {
  id: 'r1' as RunId,
  state: 'running',
  startedAt: null,
  endedAt: null,
  target: 'main',
  targetBehind: false,
  sandbox: null,
}

function status(tasks: readonly TaskStatus[]): Status {
  return { ...NO_RUN, run: someRun, tasks }
}

function task(id: string, fields: Partial<TaskStatus>): TaskStatus {
  return {
    id: id as TaskId,
    title: `Task ${id}`,
    state: 'ready',
    phase: null,
    attempts: 1,
    reason: null,
    branch: null,
    commit: null,
    revert: null,
    proof: null,
    alreadyGreen: [],
    spendUsd: 0,
    session: null,
    ...fields,
  }
}

import { expect, test } from 'vitest'
import type { AttemptId, Commit, RequestId, TaskId } from '../model/ids.ts'
import type { LineLanding } from '../model/landed-work.ts'
import { decideRun } from './decide.ts'
import { addTasks } from './decide-add-tasks.ts'
import { evolveRun } from './evolve.ts'
import { recoverTasks } from './recover-tasks.ts'
import { newRun } from './state.ts'

function landing(commit: string, task: string, attempt = `${task}-a1`): LineLanding {
  const ids = { commit: commit as Commit, task: task as TaskId, attempt: attempt as AttemptId }
  return { ...ids, reverts: null, subject: `Title of ${task}` }
}

function revert(commit: string, task: string, reverts: string): LineLanding {
  return { ...landing(commit, task), attempt: null, reverts: reverts as Commit }
}

const USER: LineLanding = { commit: 'u' as Commit, task: null, attempt: null, reverts: null, subject: 'mine' }
const idsOf = (landings: readonly LineLanding[]) => recoverTasks(landings).map(({ task, commit }) => [task.id, commit])

test.each([
  ['nothing landed', [USER], []],
  [
    'in the order of landing, from the newest commit on',
    [landing('c2', 'b'), USER, landing('c1', 'a')],
    [
      ['a', 'c1'],
      ['b', 'c2'],
    ],
  ],
  ['reverted work does not count', [revert('c2', 'a', 'c1'), landing('c1', 'a')], []],
  [
    'done again after a revert',
    [landing('c3', 'a', 'a-a2'), revert('c2', 'a', 'c1'), landing('c1', 'a')],
    [['a', 'c3']],
  ],
  ['landed twice: the last counts', [landing('c2', 'a', 'a-a2'), landing('c1', 'a')], [['a', 'c2']]],
] as const)('%s', (_, landings, expected) => {
  expect(idsOf(landings)).toEqual(expected)
})

test('recovered tasks are done without proof, and importing them again changes nothing', () => {
  const run = newRun()
  const tasks = recoverTasks([landing('c1', 'a', 'a-a3')])
  const decision = decideRun(
    run,
    { kind: 'request', id: 'r' as RequestId, request: { kind: 'recover-tasks', tasks } },
    { at: 1, uuid: '' },
  )
  if (decision.kind === 'refused') throw new Error(decision.problem.message)
  for (const event of decision.events) evolveRun(run, event, 1)
  expect(run.tasks.get('a' as TaskId)).toMatchObject({
    standing: 'done',
    attemptsBefore: 3,
    landed: { attempt: 'a-a3', commit: 'c1', receipts: [] },
  })
  const [{ task } = { task: null }] = tasks
  if (task === null) throw new Error('nothing recovered')
  const full = { ...task, title: 'A', brief: 'as imported', verify: ['true'] }
  const next = { ...task, id: 'b' as TaskId, after: [task.id] }
  expect(addTasks(run, { backlog: { milestones: [], tasks: [full, next] }, attemptsBefore: {} })).toEqual({
    kind: 'accepted',
    events: [{ kind: 'task-added', task: next, attemptsBefore: 0 }],
  })
})

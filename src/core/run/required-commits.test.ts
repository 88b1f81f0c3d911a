import { expect, test } from 'vitest'
import { given, opened } from '../../../test/given/given-attempt.ts'
import { ended, givenRun, givenTask, landed, openedRun, started } from '../../../test/given/given-run.ts'
import { requiredCommits } from './required-commits.ts'

test('a run needs its landing line, landed commits, and unfinished or failed work', () => {
  const tasks = ['t1', 't2', 't3'].map((id) => givenTask(id))
  const run = givenRun(...openedRun(tasks), ...landed('t1'), started('t2'), ended('t2'), started('t3'))
  const saved = given(...opened(), { kind: 'checkpoint-made', commit: 'c9', tree: 't9' } as never)
  expect(requiredCommits(run, [saved])).toEqual([
    { commit: 'landed-t1', what: 'the landing line' },
    { commit: 'work', what: 'the work of t2-a1' },
    { commit: 'line0', what: 'the base of t3-a1' },
    { commit: 'c9', what: 'the work of t1-a1' },
  ])
  expect(requiredCommits(givenRun(), [])).toEqual([])
})

import { expect, test } from 'vitest'
import { isProblem } from '../../../core/model/problem.ts'
import type { RunFound } from '../repository/runs.ts'
import { chooseRuns, type RunChoice, runChoiceOf } from './choose-runs.ts'

const run = (id: string, endedAt: number | null) => ({ run: id, summary: { endedAt } }) as unknown as RunFound
const RUNS = [run('r1', 1), run('r2', null), run('r3', 3)]

test.each<[RunChoice, readonly string[]]>([
  [{ kind: 'current' }, ['r2']],
  [{ kind: 'one', id: 'r1' }, ['r1']],
  [{ kind: 'all' }, ['r1', 'r2', 'r3']],
])('%j chooses %j', (choice, ids) => {
  const chosen = chooseRuns(RUNS, choice)
  expect(isProblem(chosen) ? chosen : chosen.map(({ run: id }) => id)).toEqual(ids)
})

test('an unknown run is refused with the names of the known ones, and none with how to begin', () => {
  expect(chooseRuns(RUNS, { kind: 'one', id: 'r9' })).toMatchObject({
    code: 'unknown-run',
    hint: 'There are: r1, r2, r3.',
  })
  expect(chooseRuns([], { kind: 'all' })).toMatchObject({ code: 'no-run' })
})

test.each([
  [{}, { kind: 'current' }],
  [{ run: 'r1' }, { kind: 'one', id: 'r1' }],
  [{ all: true }, { kind: 'all' }],
  [{ all: true, run: 'r1' }, { kind: 'problem' }],
])('the options %j are read', (options, choice) => {
  expect(runChoiceOf(options)).toMatchObject(choice)
})

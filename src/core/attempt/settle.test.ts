import { expect, test } from 'vitest'
import { given, opened, spec } from '../../../test/given/given-attempt.ts'
import { PLAIN_WORKFLOWS } from '../../../test/given/plain-workflows.ts'
import type { PhaseSpec, Role } from '../model/workflow.ts'
import { settleAttempt } from './settle.ts'

const [IMPLEMENT] = PLAIN_WORKFLOWS.trivial.phases as [PhaseSpec]

test.each<[Role, number, number]>([
  ['coder', 300, 300],
  ['qa', 300, 300],
  ['tester', 150, 100],
  ['tester', 60, 60],
])('a %s whose task may take %d turns gets %d in a round', (role, turnsMax, most) => {
  const workflow = { ...PLAIN_WORKFLOWS.trivial, phases: [{ ...IMPLEMENT, role }] }
  const state = given(...opened({ workflow, bounds: { ...spec().bounds, turnsMax } }))
  expect(settleAttempt(state, { at: 0, uuid: 's' })).toMatchObject([{ kind: 'round-started', turnsMax: most }])
})

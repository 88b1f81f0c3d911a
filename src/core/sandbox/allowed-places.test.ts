import { expect, test } from 'vitest'
import { refusePlaces } from './allowed-places.ts'

const CLOSED = { stateHome: '/home/u/.local/state/longhaul', repository: ['/home/u/project/.git', '/home/u/project'] }

test.each<[string, { readonly read?: readonly string[]; readonly write?: readonly string[] }, string | null]>([
  ['nothing', {}, null],
  ['a cache', { write: ['/home/u/.cache/tool'] }, null],
  ['a folder beside the repository', { write: ['/home/u/project-data'] }, null],
  ['reading the repository', { read: ['/home/u/project'] }, null],
  ['reading a folder above the state, which stays hidden', { read: ['/home/u/.local'] }, null],
  ['writing in the state', { write: ['/home/u/.local/state/longhaul/x'] }, 'lies in'],
  ['writing the state itself', { write: ['/home/u/.local/state/longhaul'] }, 'lies in'],
  ['writing above the state', { write: ['/home/u'] }, 'contains'],
  ['writing everything', { write: ['/'] }, 'contains'],
  ['writing in the git folder', { write: ['/home/u/project/.git/hooks'] }, 'lies in'],
  ['writing in the checkout', { write: ['/home/u/project/build'] }, 'lies in'],
  ['reading in the state', { read: ['/home/u/.local/state/longhaul/other'] }, 'lies in'],
])('%s', (_, opened, refusal) => {
  const problem = refusePlaces({ read: [], write: [], ...CLOSED, ...opened })
  expect(problem === null ? null : [problem.code, / which (lies in|contains) /.exec(problem.message)?.[1]]).toEqual(
    refusal === null ? null : ['sandbox-too-wide', refusal],
  )
})

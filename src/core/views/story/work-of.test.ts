import { expect, test } from 'vitest'
import type { TaskStory } from './task-story.ts'
import { workOf } from './work-of.ts'

const attempt = (id: string, more: object = {}) => ({ id, base: 'base', commits: [], salvage: [], ...more })
const saved = { commits: [{ commit: 'c1' }, { commit: 'c2' }] }
const salvage = ['refs/longhaul/salvage/t1-a1++sub', 'refs/longhaul/salvage/t1-a1']

test.each([
  ['nothing has been done', [], null, null],
  ['an attempt has saved nothing', [attempt('t1-a1')], null, null],
  [
    'an attempt has saved something',
    [attempt('t1-a1', saved), attempt('t1-a2')],
    null,
    { kind: 'unlanded', attempt: 't1-a1', base: 'base', salvage: [], commit: 'c2' },
  ],
  [
    'something was salvaged: only what is whole counts',
    [attempt('t1-a1', { salvage })],
    null,
    { kind: 'unlanded', attempt: 't1-a1', base: 'base', salvage: ['refs/longhaul/salvage/t1-a1'], commit: 'base' },
  ],
  [
    'it has landed',
    [attempt('t1-a1', saved), attempt('t1-a2', saved)],
    { attempt: 't1-a2', commit: 'l1' },
    { kind: 'landed', attempt: 't1-a2', commit: 'l1' },
  ],
  [
    'it was reverted and is tried again',
    [attempt('t1-a1', saved), attempt('t1-a2', saved)],
    { attempt: 't1-a1', commit: 'l1' },
    { kind: 'unlanded', attempt: 't1-a2', base: 'base', salvage: [], commit: 'c2' },
  ],
])('the work when %s', (_, attempts, landed, work) => {
  expect(workOf({ attempts, landed } as unknown as TaskStory)).toEqual(work)
})

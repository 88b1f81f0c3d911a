import { expect, test } from 'vitest'
import { editorSchema } from './schema.ts'

test.each([
  ['an ordinary clone', '/home/me/project'],
  ['a linked worktree, whose own path to the state would be wrong in every other checkout', '/home/me/project-fix'],
])('settings name the schema as an ordinary clone finds it: %s', (_, root) => {
  expect(editorSchema({ root, stateFolder: '/home/me/project/.git/longhaul' })).toEqual({
    file: '/home/me/project/.git/longhaul/settings.schema.json',
    modeline: '# yaml-language-server: $schema=.git/longhaul/settings.schema.json',
  })
})

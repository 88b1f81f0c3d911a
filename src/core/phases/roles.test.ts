import { expect, test } from 'vitest'
import { loadSettings } from '../../config/load.ts'
import { unusedRoles } from './roles.ts'

const ROLES = 'roles: { reviewer: { model: a }, qa: { model: b }, tester: { model: c } }\n'

test.each([
  ['the built-in workflows', ROLES, ['tester']],
  [
    'a phase with the role',
    `${ROLES}workflows: { large: { phases: [ { name: implement }, { name: again, role: tester } ] } }\n`,
    [],
  ],
  ['no roles', '', []],
])('a role that no phase has, with %s', (_, text, unused) => {
  const loaded = loadSettings({ file: 'longhaul.yaml', text })
  if (loaded.kind === 'wrong') throw new Error(loaded.problems.map(({ message }) => message).join())
  expect(unusedRoles(loaded.settings)).toEqual(unused)
})

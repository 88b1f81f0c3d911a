import { expect, test } from 'vitest'
import { isRefName } from '../../test/conformance/git-repositories.ts'
import type { AttemptId, LandingId } from '../core/model/ids.ts'
import { plainName, refs, safeName } from './names.ts'

const RISKY = [
  '..',
  '.',
  '-',
  '.x',
  'x.',
  'x..y',
  'x.lock',
  '-x',
  '...',
  'a b',
  'x..y-a1',
  'T:1',
  'a~1',
  'ü',
  'a/b',
  '',
  '+',
]
const HARMLESS = ['one', 'one-a1', 'a.b-c_d', 'x.locked', 'x.lock-a1', 'A-a12', '1', '_']

test.each(HARMLESS)('%s stays as it is', (name) => {
  expect(safeName(name)).toBe(name)
})

test.each([...RISKY, ...HARMLESS])('%j has a safe name, which can be reversed', (name) => {
  const safe = safeName(name)
  expect(safe).toMatch(/^[A-Za-z0-9_+][A-Za-z0-9._+-]*$/)
  expect(isRefName(`refs/longhaul/base/${safe}`)).toBe(true)
  expect(plainName(safe)).toBe(name)
})

test('safe names are unique', () => {
  const names = [...RISKY, ...HARMLESS, '+2e+2e', '__', 'x+2elock', 'x'.repeat(300), `${'x'.repeat(300)}y`]
  expect(new Set(names.map(safeName)).size).toBe(names.length)
})

test('a name that is too long for a file system is cut', () => {
  for (const length of [158, 159, 160, 161, 162, 400]) {
    const safe = safeName(`${'.'.repeat(length)}`)
    expect(safe.length).toBeLessThan(200)
    expect(isRefName(`refs/longhaul/base/${safe}`)).toBe(true)
  }
})

test('parts of a salvage never look like another attempt', () => {
  expect(refs.salvage('x-a1' as AttemptId, 'lib/sub')).toBe('refs/longhaul/salvage/x-a1++lib+2fsub')
  expect(refs.candidate('revert:one' as LandingId)).toBe('refs/longhaul/candidate/revert+3aone')
})

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isInsideFolder } from './inside-folder.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-inside-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = join(root, 'ws')
mkdirSync(join(folder, 'deep'), { recursive: true })
mkdirSync(join(root, 'ws-2'))
writeFileSync(join(root, 'secret.txt'), '')
symlinkSync('..', join(folder, 'up'))
symlinkSync(join(root, 'secret.txt'), join(folder, 'link.txt'))
symlinkSync(join(root, 'not-there.txt'), join(folder, 'dangling.txt'))
symlinkSync('deep', join(folder, 'fine'))
symlinkSync('ring-b', join(folder, 'ring-a'))
symlinkSync('ring-a', join(folder, 'ring-b'))
symlinkSync(folder, join(root, 'alias'))

test.each([
  ['a.txt', true],
  ['deep/er/still/new.txt', true],
  ['fine/new.txt', true],
  ['', true],
  ['.', true],
  ['deep/../a.txt', true],
  [join(folder, 'a.txt'), true],
  [join(root, 'alias/a.txt'), true],
  ['..', false],
  ['../ws-2/a.txt', false],
  ['up/secret.txt', false],
  ['up/ws/a.txt', true],
  ['link.txt', false],
  ['dangling.txt', false],
  ['up/../a.txt', false],
  ['ring-a/b', true],
  [join(root, 'secret.txt'), false],
  ['/etc/passwd', false],
])('%s is inside: %s', (path, isInside) => {
  expect(isInsideFolder(path, folder)).toBe(isInside)
})

test('a workspace that is reached through a link is the same workspace', () => {
  expect(isInsideFolder(join(folder, 'a.txt'), join(root, 'alias'))).toBe(true)
})

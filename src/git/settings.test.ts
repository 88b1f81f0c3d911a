import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { TEST_PATH, testEnvironment } from '../../test/environment.ts'
import { gitAt } from './git.ts'
import { contentSettings, readSettings, type Setting, settingsText } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'longhaul settings '))
afterAll(() => rmSync(folder, { recursive: true }))

const DIFFICULT: readonly Setting[] = [
  { key: 'filter.a "b\\ c.d.clean', value: 'sed "s/a/b/" # ; \\n' },
  { key: 'filter.lfs.required', value: null },
  { key: 'filter.lfs.smudge', value: ' git-lfs smudge -- %f\ttab\nline ' },
  { key: 'core.autocrlf', value: 'input' },
  { key: 'user.name', value: 'Ürsula "U" \\' },
  { key: 'filter.none.process', value: '' },
]

test('git reads back settings that were written as text', async () => {
  const git = gitAt({ folder }, testEnvironment(folder))
  await git.run(['init', '--quiet'])
  writeFileSync(join(folder, '.gitconfig'), settingsText(DIFFICULT))
  const read = await readSettings(git)
  expect((read as readonly Setting[]).slice(0, DIFFICULT.length)).toEqual(DIFFICULT)
})

test('the environment decides where settings of the machine and the user are read', async () => {
  const files = { system: join(folder, 'of the machine'), global: join(folder, 'of the user') }
  writeFileSync(files.system, '[core]\n\tautocrlf = input\n')
  writeFileSync(files.global, '[core]\n\teol = lf\n')
  const env = { PATH: TEST_PATH, HOME: folder, GIT_CONFIG_SYSTEM: files.system, GIT_CONFIG_GLOBAL: files.global }
  expect((await readSettings(gitAt({ folder }, env))) as readonly Setting[]).toEqual(
    expect.arrayContaining([
      { key: 'core.autocrlf', value: 'input' },
      { key: 'core.eol', value: 'lf' },
    ]),
  )
})

test('only settings that change file contents are copied', () => {
  const all = [...DIFFICULT, { key: 'commit.gpgsign', value: 'true' }, { key: 'core.hookspath', value: 'x' }]
  expect(contentSettings(all).map(({ key }) => key)).toEqual([
    'filter.a "b\\ c.d.clean',
    'filter.lfs.required',
    'filter.lfs.smudge',
    'core.autocrlf',
    'filter.none.process',
  ])
})

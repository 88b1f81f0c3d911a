import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
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

test('settings written as text are read by git as they were', async () => {
  const git = gitAt({ folder }, { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder })
  await git.run(['init', '--quiet'])
  writeFileSync(join(folder, '.gitconfig'), settingsText(DIFFICULT))
  const read = await readSettings(git)
  expect((read as readonly Setting[]).slice(0, DIFFICULT.length)).toEqual(DIFFICULT)
})

test('only what decides about content is carried over', () => {
  const all = [...DIFFICULT, { key: 'commit.gpgsign', value: 'true' }, { key: 'core.hookspath', value: 'x' }]
  expect(contentSettings(all).map(({ key }) => key)).toEqual([
    'filter.a "b\\ c.d.clean',
    'filter.lfs.required',
    'filter.lfs.smudge',
    'core.autocrlf',
    'filter.none.process',
  ])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../test/conformance/git-repositories.ts'
import { unignoredFolders } from './unignored-folders.ts'

let repo: TestRepository
beforeAll(() => {
  repo = makeRepository()
})
afterAll(() => repo.remove())

test('a folder is named unless git ignores it or tracks something in it', async () => {
  repo.write('.gitignore', 'node_modules/\n')
  repo.write('vendor/lib.php', 'x\n')
  repo.commit('some rules')
  const { git } = await repo.open()
  expect(await unignoredFolders(git, ['node_modules', 'web/node_modules', 'vendor', '.venv'])).toEqual(['.venv'])
})

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../test/conformance/git-repositories.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { type Git, gitAt } from './git.ts'
import { takeObjects } from './take-objects.ts'

let [ours, theirs]: TestRepository[] = []
beforeEach(() => {
  ;[ours, theirs] = [makeRepository(), makeRepository()]
})
afterEach(() => {
  for (const repo of [ours, theirs]) repo?.remove()
})

test('objects arrive with everything they need', async () => {
  const [repo, from] = both()
  from.write('new.txt', 'new\n')
  const commit = from.commit('theirs')
  expect(await take(commit)).toBeNull()
  expect(repo.git(['show', `${commit}:new.txt`])).toBe('new')
  expect(existsSync(join(repo.root, 'pack'))).toBe(false)
})

test.each<[string, (from: TestRepository) => Promise<string>, RegExp]>([
  [
    'a folder named .git',
    async (from) => treeOf(from, `040000 tree ${await emptyTree(from)}\t.git\n`),
    /hasDotgit|\.git/,
  ],
  [
    'a commit without an author',
    async (from) => writeRaw(from, 'commit', `tree ${await emptyTree(from)}\n\nno author\n`),
    /fsck/,
  ],
  ['a missing file', (from) => treeOf(from, `100644 blob ${'1'.repeat(40)}\tgone.txt\n`, ['--missing']), /1{40}/],
])('%s is refused', async (_, make, reason) => {
  const [repo, from] = both()
  const id = await make(from)
  const refused = (await take(id as Commit)) as Problem
  expect(refused).toMatchObject({ code: 'git-failed', cause: expect.stringMatching(reason) })
  expect(() => repo.git(['cat-file', '-e', id])).toThrow('cat-file')
  expect(existsSync(join(repo.root, 'pack'))).toBe(false)
})

function both(): readonly [TestRepository, TestRepository] {
  if (ours === undefined || theirs === undefined) throw new Error('not prepared')
  return [ours, theirs]
}

function take(wanted: Commit | Tree): Promise<Problem | null> {
  const [repo, from] = both()
  return takeObjects({ from: gitOf(from), to: gitOf(repo), wanted: [wanted], known: [], file: join(repo.root, 'pack') })
}

function emptyTree(repo: TestRepository): Promise<string> {
  return treeOf(repo, '')
}

function treeOf(repo: TestRepository, entries: string, options: readonly string[] = []): Promise<string> {
  return withInput(repo, ['mktree', ...options], entries)
}

function writeRaw(repo: TestRepository, type: string, text: string): Promise<string> {
  return withInput(repo, ['hash-object', '-t', type, '-w', '--literally', '--stdin'], text)
}

async function withInput(repo: TestRepository, args: readonly string[], input: string): Promise<string> {
  const output = await gitOf(repo).run(args, { input })
  if (isProblem(output)) throw new Error(output.message)
  return output.trim()
}

function gitOf({ checkout, env }: TestRepository): Git {
  return gitAt({ folder: checkout }, env)
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../test/conformance/git-repositories.ts'
import type { Commit } from '../core/model/ids.ts'
import type { Git } from './git.ts'
import { changeRefs, type Ref, readRefs } from './refs.ts'

let repo: TestRepository
let git: Git
let first: Commit
let second: Commit

beforeAll(async () => {
  repo = makeRepository()
  git = (await repo.open()).git
  first = repo.git(['rev-parse', 'HEAD']) as Commit
  second = repo.commit('second')
})
afterAll(() => repo.remove())

test('several refs change together, or not at all', async () => {
  expect(await changeRefs(git, [{ ref: 'refs/x/a', to: first, from: null }])).toBe('changed')
  const both = [
    { ref: 'refs/x/a', to: second, from: first },
    { ref: 'refs/x/b', to: second, from: first },
  ]
  expect(await changeRefs(git, both)).toBe('outdated')
  expect(await positions('refs/x/')).toEqual({ 'refs/x/a': first })
  expect(await changeRefs(git, [{ ref: 'refs/x/a', to: second, from: null }])).toBe('outdated')
  expect(await changeRefs(git, [{ ref: 'refs/x/a', to: null, from: second }])).toBe('outdated')
  expect(await changeRefs(git, [{ ref: 'refs/x/a', to: null, from: first }])).toBe('changed')
  expect(await changeRefs(git, [{ ref: 'refs/x/a', to: null }])).toBe('changed')
  expect(await positions('refs/x/')).toEqual({})
})

test('only the named refs are read, with the checkout that has them', async () => {
  await changeRefs(git, [
    { ref: 'refs/y/a', to: first },
    { ref: 'refs/y/a-b', to: first },
    { ref: 'refs/y/c/d', to: second },
  ])
  expect(await positions('refs/y/a', 'refs/y/c')).toEqual({ 'refs/y/a': first })
  expect(await positions('refs/y/a*', 'refs/y/c/')).toEqual({
    'refs/y/a': first,
    'refs/y/a-b': first,
    'refs/y/c/d': second,
  })
  const main = (await readRefs(git, ['refs/heads/main'])) as ReadonlyMap<string, Ref>
  expect(main.get('refs/heads/main')).toEqual({
    name: 'refs/heads/main',
    commit: second,
    checkedOutIn: repo.checkout,
  })
})

test('the lock of a killed git is named', async () => {
  const lock = join(repo.checkout, '.git/refs/z.lock')
  writeFileSync(lock, '')
  expect(await changeRefs(git, [{ ref: 'refs/z', to: first }])).toMatchObject({
    code: 'git-locked',
    message: expect.stringContaining(lock),
    hint: expect.stringContaining('delete it'),
    retry: 'later',
  })
})

test('a missing commit is a problem, not a move', async () => {
  const answer = await changeRefs(git, [{ ref: 'refs/w', to: '1'.repeat(40) as Commit, from: null }])
  expect(answer).toMatchObject({ kind: 'problem', code: 'git-failed' })
})

async function positions(...names: string[]): Promise<Record<string, string>> {
  const refs = (await readRefs(git, names)) as ReadonlyMap<string, Ref>
  return Object.fromEntries([...refs.values()].map(({ name, commit }) => [name, commit]))
}

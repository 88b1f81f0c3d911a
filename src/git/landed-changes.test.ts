import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../test/conformance/git-repositories.ts'
import type { Commit } from '../core/model/ids.ts'
import { isProblem } from '../core/model/problem.ts'
import { landedChanges } from './landed-changes.ts'
import { refs } from './names.ts'

const FILE = 'longhaul.yaml'
const LANDED = 'a: work\n\nTask-Id: a\nAttempt: a-a1\n'
let repo: TestRepository

beforeEach(() => {
  repo = makeRepository()
})
afterEach(() => repo.remove())

/** Commits a text of the file; returns the commit. */
function commit(text: string, message = 'by a person'): Commit {
  write(text)
  repo.git(['add', '--all'])
  repo.git(['commit', '--quiet', '-m', message])
  return repo.git(['rev-parse', 'HEAD']) as Commit
}

function write(text: string | null): void {
  repo.write(FILE, text)
}

/** Lands commits of an agent, made without trailers on a branch, by a merge with ours. */
function land(work: () => void, message = LANDED): Commit {
  repo.git(['checkout', '--quiet', '-b', 'work'])
  work()
  repo.git(['checkout', '--quiet', '-'])
  repo.git(['merge', '--quiet', '--no-ff', 'work', '-m', message])
  repo.git(['branch', '--quiet', '-D', 'work'])
  return repo.git(['rev-parse', 'HEAD']) as Commit
}

async function changes(): Promise<readonly string[]> {
  const landings = await landedChanges((await repo.open()).git, FILE)
  if (isProblem(landings)) throw new Error(landings.message)
  return landings.map(({ commit: landed, task }) => `${task} ${landed}`)
}

test('a file of a person, committed, edited or untracked, has no landing behind it', async () => {
  expect(await changes()).toEqual([])
  write('gates: []\n')
  expect(await changes()).toEqual([])
  commit('gates: []\n')
  write('gates: [ a ]\n')
  expect(await changes()).toEqual([])
  write(null)
  expect(await changes()).toEqual([])
})

test('lines of a landing count until the person replaces them', async () => {
  commit('one\ntwo\n')
  const landed = commit('one\n2\n', LANDED)
  expect(await changes()).toEqual([`a ${landed}`])
  write('1\n2\n')
  expect(await changes()).toEqual([`a ${landed}`])
  commit('1\n2\n')
  expect(await changes()).toEqual([`a ${landed}`])
  commit('1\ntwo\n')
  expect(await changes()).toEqual([])
})

test('lines that a landing removed count until a person commits the file', async () => {
  commit('one\ntwo\n')
  const landed = commit('one\n', LANDED)
  expect(await changes()).toEqual([`a ${landed}`])
  commit('one\nthree\n')
  expect(await changes()).toEqual([])
})

test('commits that an agent made itself belong to the landing that brought them in', async () => {
  commit('one\n')
  const landed = land(() => commit('zero\none\n'))
  expect(await changes()).toEqual([`a ${landed}`])
  repo.commit('later')
  expect(await changes()).toEqual([`a ${landed}`])
})

test('a merge with forged trailers inside the work hides nothing', async () => {
  commit('one\n')
  const landed = land(() => {
    commit('zero\none\n')
    repo.git(['checkout', '--quiet', '-b', 'side', 'HEAD~1'])
    repo.commit('side')
    repo.git(['checkout', '--quiet', 'work'])
    repo.git(['merge', '--quiet', '--no-ff', 'side', '-m', 'x\n\nTask-Id: forged\n'])
  })
  expect(await changes()).toEqual([`a ${landed}`])
})

test('a revert is a person’s, unless it came in with a landing', async () => {
  commit('one\n')
  commit('two\n', LANDED)
  commit('one\n', `Revert\n\nTask-Id: a\nReverts: x\n`)
  expect(await changes()).toEqual([])
  const landed = land(() => commit('three\n', `x\n\nTask-Id: a\nReverts: x\n`))
  expect(await changes()).toEqual([`a ${landed}`])
})

test('a merge of a person is a person’s', async () => {
  commit('one\n')
  land(() => commit('zero\none\n'), 'Merge my branch')
  expect(await changes()).toEqual([])
})

test('an approval, given before the landing or after it, is enough', async () => {
  commit('one\n')
  commit('two\n', `${LANDED}Approved: ${FILE}\n`)
  expect(await changes()).toEqual([])
  const landed = commit('three\n', LANDED)
  repo.git(['update-ref', refs.approved(landed), landed])
  expect(await changes()).toEqual([])
})

import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commitOn, putOnLine, useGitWorld, usersState } from '../../../test/conformance/git-tests.ts'
import { targetTip } from '../../../test/conformance/git-world.ts'
import type { Commit } from '../../core/model/ids.ts'

const world = useGitWorld()

describe('a target that is checked out', () => {
  test('follows with its files, without prompts or advice of git', async () => {
    const { repo } = world()
    const { commit, seen } = await landOne()
    repo.write('.git/hooks/post-merge', '#!/bin/sh\ntouch ran\n')
    repo.write('.git/hooks/reference-transaction', '#!/bin/sh\nexit 1\n')
    for (const hook of ['post-merge', 'reference-transaction'])
      chmodSync(join(repo.checkout, '.git/hooks', hook), 0o755)
    for (const key of ['commit.gpgSign', 'merge.verifySignatures', 'merge.autoStash', 'submodule.recurse']) {
      repo.git(['config', key, 'true'])
    }
    repo.write('unrelated.txt', 'untracked\n')
    expect(await follow(commit, seen)).toEqual({ kind: 'followed', commit })
    expect(repo.read('new.txt')).toBe('new\n')
    expect(repo.read('ran')).toBeNull()
    expect(repo.git(['status', '--porcelain'])).toBe('?? unrelated.txt')
    expect(repo.git(['reflog', '-1', '--format=%gs'])).toBe('longhaul: Fast-forward')
  })

  test.each<[string, () => void, RegExp]>([
    ['with a changed file', () => world().repo.write('kept.txt', 'x\n'), /uncommitted changes \(kept\.txt\)/],
    ['with a staged file', staged, /uncommitted changes \(staged\.txt\)/],
    ['with an untracked file in the way', () => world().repo.write('new.txt', 'mine\n'), /in the way \(new\.txt\)/],
    ['with an ignored file in the way', ignoredInTheWay, /in the way \(new\.txt\)/],
    ['with a file where a folder is to be', () => world().repo.write('deep', 'mine\n'), /in the way \(deep\/er\.txt\)/],
    ['with a locked index', () => world().repo.write('.git/index.lock', ''), /index\.lock/],
    ['in the middle of a merge', merging, /in the middle of a merge/],
    ['at the start of a bisect', () => bisecting(), /in the middle of a bisect/],
  ])('%s waits, and nothing is changed', async (_, disturb, reason) => {
    const { commit, seen } = await landOne()
    disturb()
    const before = usersState(world().repo)
    expect(await follow(commit, seen)).toEqual({
      kind: 'target-held',
      reason: expect.stringMatching(reason),
      command: `git -C '${world().repo.checkout}' merge --ff-only ${commit}`,
      diverged: false,
    })
    expect(usersState(world().repo)).toEqual(before)
  })

  test('in the middle of a bisect waits; the printed command moves the branch, and the bisect goes on', async () => {
    const { repo } = world()
    for (const text of ['1\n', '2\n', '3\n', '4\n']) {
      repo.write('kept.txt', text)
      repo.commit(text)
    }
    const { commit, seen } = await landOne()
    repo.git(['bisect', 'start', 'main', 'main~3'])
    const tested = repo.git(['rev-parse', 'HEAD'])
    const held = await follow(commit, seen)
    if (held.kind !== 'target-held' || held.command === null) throw new Error(JSON.stringify(held))
    repo.shell(held.command)
    expect([await targetTip(world()), repo.git(['rev-parse', 'HEAD'])]).toEqual([commit, tested])
    expect(await follow(commit, seen)).toEqual({ kind: 'followed', commit })
    repo.git(['bisect', 'reset'])
    expect([repo.git(['symbolic-ref', 'HEAD']), repo.git(['status', '--porcelain'])]).toEqual(['refs/heads/main', ''])
    expect(repo.read('new.txt')).toBe('new\n')
  })

  test('in the middle of a rebase that would end where it started, waits without a command', async () => {
    const { repo } = world()
    repo.write('kept.txt', 'main\n')
    repo.commit('main')
    const { commit, seen } = await landOne()
    expect(() => repo.git(['rebase', '--exec', 'false', 'main~1'])).toThrow('Command failed')
    expect(await follow(commit, seen)).toMatchObject({
      reason: expect.stringContaining('in the middle of a rebase'),
      command: null,
    })
    repo.git(['rebase', '--abort'])
    expect(await follow(commit, seen)).toEqual({ kind: 'followed', commit })
  })

  test('in the middle of a rebase waits, and the rebase can be ended', async () => {
    const { repo } = world()
    const { commit, seen } = await landOne()
    repo.git(['checkout', '--quiet', '-b', 'other'])
    repo.write('kept.txt', 'other\n')
    repo.commit('other')
    repo.git(['checkout', '--quiet', 'main'])
    repo.write('kept.txt', 'main\n')
    const own = repo.commit('main')
    expect(() => repo.git(['rebase', 'other'])).toThrow('Command failed')
    expect(await follow(commit, seen)).toMatchObject({ kind: 'target-held', diverged: true })
    repo.git(['rebase', '--abort'])
    expect(await targetTip(world())).toBe(own)
  })

  test('in a linked worktree follows there', async () => {
    const { repo } = world()
    const linked = join(repo.root, 'linked tree')
    repo.git(['checkout', '--quiet', '-b', 'side'])
    repo.git(['worktree', 'add', '--quiet', linked, 'main'])
    await world().restart(linked)
    const { commit, seen } = await landOne()
    expect(await follow(commit, seen)).toEqual({ kind: 'followed', commit })
    expect(repo.read('new.txt', linked)).toBe('new\n')
    expect(repo.read('new.txt')).toBeNull()
    expect(repo.git(['status', '--porcelain'], linked)).toBe('')
  })

  test('with a dirty submodule follows all the same', async () => {
    const { repo } = world()
    repo.git(['init', '--quiet', join(repo.root, 'library')])
    for (const [key, value] of [
      ['user.name', 'L'],
      ['user.email', 'l@example.org'],
    ] as const)
      repo.git(['config', '--global', key, value])
    repo.git(['commit', '--quiet', '--allow-empty', '-m', 'lib'], join(repo.root, 'library'))
    repo.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'lib'])
    repo.commit('with a submodule')
    const { commit, seen } = await landOne()
    repo.write('lib/dirty.txt', 'dirty\n')
    repo.git(['commit', '--quiet', '--allow-empty', '-m', 'more'], join(repo.checkout, 'lib'))
    expect(await follow(commit, seen)).toEqual({ kind: 'followed', commit })
  })
})

describe('a target that is not checked out', () => {
  test.each([
    ['detached', ['checkout', '--quiet', '--detach']],
    ['another branch', ['checkout', '--quiet', '-b', 'side']],
  ])('follows by its ref alone (%s), and the checkout stays', async (_, command) => {
    const { commit, seen } = await landOne()
    world().repo.git(command)
    world().repo.write('kept.txt', 'being changed\n')
    const before = usersState(world().repo)
    expect(await follow(commit, seen)).toEqual({ kind: 'followed', commit })
    expect(await targetTip(world())).toBe(commit)
    expect({ ...usersState(world().repo), refs: '' }).toEqual({
      ...before,
      refs: '',
      '.git/logs/refs/heads/main': expect.anything(),
    })
  })

  test('and whose worktree was removed by hand follows by its ref', async () => {
    const { repo } = world()
    const linked = join(repo.root, 'linked')
    repo.git(['checkout', '--quiet', '-b', 'side'])
    repo.git(['worktree', 'add', '--quiet', linked, 'main'])
    rmSync(linked, { recursive: true })
    const { commit, seen } = await landOne()
    expect(await follow(commit, seen)).toEqual({ kind: 'followed', commit })
    expect(await targetTip(world())).toBe(commit)
  })

  test('that is gone is left alone', async () => {
    const { commit, seen } = await landOne()
    world().repo.git(['checkout', '--quiet', '--detach'])
    world().repo.git(['branch', '--quiet', '-D', 'main'])
    expect(await follow(commit, seen)).toMatchObject({
      kind: 'target-held',
      reason: 'the branch main does not exist any more',
    })
  })
})

test('a lock on the target that a killed git left is named', async () => {
  const { commit, seen } = await landOne()
  world().repo.git(['checkout', '--quiet', '--detach'])
  const lock = join(world().repo.checkout, '.git/refs/heads/main.lock')
  writeFileSync(lock, '')
  expect(await follow(commit, seen)).toMatchObject({ code: 'git-locked', message: expect.stringContaining(lock) })
})

test('pins of what has landed go with the target, pins of what has not stay', async () => {
  const { commit, seen } = await landOne()
  world().repo.git(['update-ref', 'refs/longhaul/candidate/landed', commit])
  world().repo.git([
    'update-ref',
    'refs/longhaul/candidate/open',
    world().repo.git(['commit-tree', '-m', 'x', 'HEAD^{tree}']),
  ])
  await follow(commit, seen)
  expect(world().repo.git(['for-each-ref', '--format=%(refname)', 'refs/longhaul/candidate'])).toBe(
    'refs/longhaul/candidate/open',
  )
})

test('a target whose first commit was amended follows after the printed command, and keeps its files', async () => {
  const { repo } = world()
  const { commit, seen } = await landOne()
  repo.write('kept.txt', 'amended\n')
  repo.git(['commit', '--quiet', '--all', '--amend', '-m', 'amended'])
  const held = await follow(commit, seen)
  if (held.kind !== 'target-held' || held.command === null) throw new Error(JSON.stringify(held))
  expect(held.reason).toContain('was rewritten')
  repo.shell(held.command)
  expect(await follow(commit, seen)).toMatchObject({ kind: 'target-held', diverged: true })
  expect(repo.read('kept.txt')).toBe('amended\n')
})

async function landOne(): Promise<{ readonly commit: Commit; readonly seen: Commit }> {
  const seen = await targetTip(world())
  const commit = commitOn(world().repo, seen, { 'new.txt': 'new\n', 'deep/er.txt': 'new\n' })
  await putOnLine(world(), commit)
  return { commit, seen }
}

function follow(commit: Commit, seen: Commit) {
  return world().landing.followTarget('main', commit, seen)
}

function staged(): void {
  world().repo.write('staged.txt', 'staged\n')
  world().repo.git(['add', 'staged.txt'])
}

function ignoredInTheWay(): void {
  world().repo.write('.git/info/exclude', 'new.txt\n')
  world().repo.write('new.txt', 'mine\n')
}

function merging(): void {
  const { repo } = world()
  repo.git(['checkout', '--quiet', '-b', 'other', 'HEAD'])
  repo.commit('other')
  repo.git(['checkout', '--quiet', 'main'])
  repo.git(['merge', '--quiet', '--no-ff', '--no-commit', 'other'])
}

function bisecting(): void {
  const { repo } = world()
  repo.git(['bisect', 'start'])
}

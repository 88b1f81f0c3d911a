import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../test/conformance/git-repositories.ts'
import { openRepository } from './repository.ts'

let repo: TestRepository
beforeEach(() => {
  repo = makeRepository()
})
afterEach(() => repo.remove())

test('a repository is found from any folder of its checkout', async () => {
  repo.write('deep/er/file.txt', 'x')
  expect(await repo.open(join(repo.checkout, 'deep/er'))).toMatchObject({
    checkout: repo.checkout,
    gitDir: join(repo.checkout, '.git'),
    mainCheckout: repo.checkout,
    branch: 'main',
    identity: { author: { name: 'Ürsula User', email: 'user@example.org' } },
  })
})

test('a linked worktree leads to the same git folder', async () => {
  const linked = join(repo.root, 'linked tree')
  repo.git(['worktree', 'add', '--quiet', '-b', 'side', linked])
  expect(await repo.open(linked)).toMatchObject({
    checkout: linked,
    gitDir: join(repo.checkout, '.git'),
    mainCheckout: null,
    branch: 'side',
  })
})

test('a detached HEAD has no branch', async () => {
  repo.git(['checkout', '--quiet', '--detach'])
  expect(await repo.open()).toMatchObject({ branch: null })
})

test('no identity is invented', async () => {
  repo.git(['config', '--unset', 'user.email'])
  expect(await openRepository(repo.checkout, repo.env)).toMatchObject({
    identity: { code: 'no-identity', hint: expect.stringContaining('git config --global user.name') },
  })
})

test('the identity comes from the environment, then from overrides', async () => {
  repo.git(['config', 'author.name', 'Author'])
  const env = { ...repo.env, GIT_COMMITTER_EMAIL: 'ci@example.org' }
  expect(await openRepository(repo.checkout, env)).toMatchObject({
    identity: {
      author: { name: 'Author', email: 'user@example.org' },
      committer: { name: 'Ürsula User', email: 'ci@example.org' },
    },
  })
})

describe('a clear refusal', () => {
  test('outside of any repository', async () => {
    expect(await refusal(repo.root)).toMatchObject({
      code: 'not-a-repository',
      message: `${repo.root} is not in a git repository.`,
      hint: expect.stringContaining('git init'),
      retry: 'person',
    })
  })

  test('inside a git folder', async () => {
    const hint = `Go to ${repo.checkout}.`
    for (const folder of ['.git', '.git/refs/heads'])
      expect(await refusal(join(repo.checkout, folder))).toMatchObject({ code: 'not-a-repository', hint })
  })

  test('in a bare repository', async () => {
    const bare = join(repo.root, 'bare.git')
    repo.git(['init', '--quiet', '--bare', bare])
    expect(await refusal(bare)).toMatchObject({ code: 'repository-bare' })
  })

  test('with no commit yet', async () => {
    const fresh = join(repo.root, 'fresh')
    repo.git(['init', '--quiet', fresh])
    repo.git(['config', 'user.name', 'x'], fresh)
    repo.git(['config', 'user.email', 'x@example.org'], fresh)
    expect(await refusal(fresh)).toMatchObject({ code: 'no-commits', hint: expect.stringContaining('git commit') })
  })

  test('with a branch that blocks the names of ours', async () => {
    repo.git(['branch', 'longhaul'])
    expect(await refusal(repo.checkout)).toMatchObject({ code: 'branch-in-the-way' })
  })

  test('with a git that is too old', async () => {
    const path = fakeGit('echo "git version 2.37.9"')
    expect(await openRepository(repo.checkout, { ...repo.env, PATH: path })).toMatchObject({
      code: 'git-too-old',
      message: expect.stringContaining('2.37.9'),
    })
  })

  test('with no git at all', async () => {
    expect(await openRepository(repo.checkout, { ...repo.env, PATH: repo.root })).toMatchObject({ code: 'git-missing' })
  })

  test('in a folder that no longer exists', async () => {
    expect(await refusal(join(repo.root, 'nowhere'))).toMatchObject({ code: 'repository-gone' })
  })

  test('on a full disk', async () => {
    const path = fakeGit('echo "fatal: write error: No space left on device" >&2; exit 128')
    expect(await openRepository(repo.checkout, { ...repo.env, PATH: path })).toMatchObject({
      code: 'disk-full',
      retry: 'later',
    })
  })
})

async function refusal(folder: string): Promise<unknown> {
  return openRepository(folder, repo.env)
}

function fakeGit(script: string): string {
  const folder = join(repo.root, 'programs')
  mkdirSync(folder)
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return folder
}

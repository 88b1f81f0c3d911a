import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  agentGit,
  begin,
  NEVER,
  ONE,
  release,
  save,
  useGitWorld,
  usersState,
} from '../../../test/conformance/git-tests.ts'
import { known, targetTip } from '../../../test/conformance/git-world.ts'
import type { AttemptId, Commit } from '../../core/model/ids.ts'

const world = useGitWorld((repo) => {
  repo.write('.gitignore', 'ignored/\n*.log\n')
  repo.commit('ignore')
  repo.write('kept.txt', 'stashed\n')
  repo.git(['stash', '--quiet'])
  repo.write('kept.txt', 'being changed\n')
  repo.write('untracked.txt', 'mine\n')
})

const MISCHIEF = [
  'stash pop',
  'stash clear',
  'push --all --force',
  'push origin HEAD:main',
  'config core.hooksPath /tmp/hooks',
  'update-ref refs/heads/main HEAD~1',
  'branch -D main',
  'checkout -f main',
  'gc --prune=now --quiet',
  'clean -fdx',
]

describe("what an agent does with git does not reach the user's repository", () => {
  test('whatever it tries', async () => {
    const before = usersState(world().repo)
    const base = await begin(world())
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    for (const command of MISCHIEF) tryGit(command.split(' '))
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), base)
    await release(world(), base, commit, 'keep')
    expect(usersState(world().repo)).toEqual(before)
    expect(await world().fileAt(commit, 'new.txt')).toBe('new\n')
  })

  test('removing everything around the workspace', async () => {
    const before = usersState(world().repo)
    await begin(world(), {}, 'two-a1' as AttemptId)
    const base = await begin(world())
    rmSync(dirname(world().workspaces.folder(ONE)), { recursive: true })
    expect(await world().workspaces.exists('two-a1' as AttemptId)).toBe(true)
    expect(await world().workspaces.exists(ONE)).toBe(false)
    expect(await release(world(), base, base, 'keep')).toMatchObject({ kept: true })
    expect(usersState(world().repo)).toEqual(before)
  })
})

describe('a checkpoint takes the files, wherever the agent has gone', () => {
  test("the agent's own commits count", async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'own.txt', 'own\n')
    agentGit(world(), ['add', '.'])
    agentGit(world(), ['commit', '--quiet', '-m', 'my own'])
    await world().agentWrites(ONE, 'more.txt', 'more\n')
    const { commit } = await save(world(), base)
    expect(log(commit)).toEqual(['work', 'my own', 'ignore', 'first'])
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
    expect(agentGit(world(), ['rev-parse', 'HEAD'])).toBe(commit)
  })

  test('another branch, or none', async () => {
    const base = await begin(world())
    agentGit(world(), ['checkout', '--quiet', '-b', 'elsewhere'])
    await world().agentWrites(ONE, 'a.txt', 'a\n')
    const { commit: first } = await save(world(), base)
    agentGit(world(), ['checkout', '--quiet', '--detach'])
    await world().agentWrites(ONE, 'b.txt', 'b\n')
    const { commit } = await save(world(), base, first)
    expect(await world().parentsOf(commit)).toEqual([first])
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(commit)
  })

  test.each([
    ['an orphan branch', ['checkout', '--quiet', '--orphan', 'fresh']],
    ['an older commit', ['checkout', '--quiet', '-f', 'HEAD~2']],
  ])('%s: the tree goes on from the last checkpoint', async (_, command) => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'a.txt', 'a\n')
    const { commit: last } = await save(world(), base)
    agentGit(world(), command)
    await world().agentWrites(ONE, 'b.txt', 'b\n')
    const { commit } = await save(world(), base, last)
    expect(await world().parentsOf(commit)).toEqual([last])
    expect(await world().fileAt(commit, 'b.txt')).toBe('b\n')
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
  })

  test('amended and rebased checkpoints move the branch back and forth', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'a.txt', 'a\n')
    const { commit: last } = await save(world(), base)
    agentGit(world(), ['commit', '--quiet', '--amend', '-m', 'better words'])
    const { commit } = await save(world(), base, last)
    expect(log(commit)).toEqual(['better words', 'ignore', 'first'])
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(commit)
  })

  test('an index that is locked, broken or marked to skip files changes nothing', async () => {
    const base = await begin(world())
    agentGit(world(), ['update-index', '--assume-unchanged', 'kept.txt'])
    await world().agentWrites(ONE, 'kept.txt', 'changed\n')
    const { commit: first } = await save(world(), base)
    expect(await world().fileAt(first, 'kept.txt')).toBe('changed\n')
    const gitDir = join(world().workspaces.folder(ONE), '.git')
    writeFileSync(join(gitDir, 'index'), 'garbage')
    writeFileSync(join(gitDir, 'index.lock'), '')
    await world().agentWrites(ONE, 'b.txt', 'b\n')
    expect(await world().workspaces.endProcesses(ONE)).toBeNull()
    const { commit } = await save(world(), base, first)
    expect(await world().fileAt(commit, 'b.txt')).toBe('b\n')
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
    expect(existsSync(join(gitDir, 'index.lock'))).toBe(false)
  })

  test.each([
    ['a pipe', 'mkfifo .git/index'],
    ['a link to a pipe', 'mkfifo .git/pipe; ln -s pipe .git/index'],
    ['a link to itself', 'ln -s index .git/index'],
  ])('an index that is %s blocks nothing', async (_, command) => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'a.txt', 'a\n')
    expect(await world().workspaces.hook(ONE, 'agent', `rm .git/index; ${command}`, 10_000, NEVER)).toBeNull()
    const { commit } = await save(world(), base)
    expect(await world().fileAt(commit, 'a.txt')).toBe('a\n')
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
  })

  test('an ignored file that the agent wanted in stays in when it moves its HEAD alone', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'a.log', 'a\n')
    agentGit(world(), ['add', '--force', 'a.log'])
    const { commit: first } = await save(world(), base)
    agentGit(world(), ['reset', '--soft', base])
    const { commit } = await save(world(), base, first)
    expect(await world().parentsOf(commit)).toEqual([base])
    expect(await world().fileAt(commit, 'a.log')).toBe('a\n')
  })

  test('ignored files stay out, unless the agent wants them in', async () => {
    const base = await begin(world())
    for (const name of ['a.log', 'b.log', 'c.log']) await world().agentWrites(ONE, `ignored/${name}`, `${name}\n`)
    agentGit(world(), ['add', '--force', 'ignored/a.log'])
    agentGit(world(), ['commit', '--quiet', '-m', 'a'])
    agentGit(world(), ['add', '--force', 'ignored/b.log'])
    const { commit, changed } = await save(world(), base)
    const files = world().repo.git(['ls-tree', '-r', '--name-only', commit, 'ignored/']).split('\n')
    expect(files).toEqual(['ignored/a.log', 'ignored/b.log'])
    expect(changed).toBe(2)
  })

  test('a conflict that the agent left is saved with its marks', async () => {
    const base = await begin(world())
    agentGit(world(), ['checkout', '--quiet', '-b', 'side'])
    await world().agentWrites(ONE, 'kept.txt', 'side\n')
    agentGit(world(), ['commit', '--quiet', '-am', 'side'])
    agentGit(world(), ['checkout', '--quiet', '-'])
    await world().agentWrites(ONE, 'kept.txt', 'ours\n')
    agentGit(world(), ['commit', '--quiet', '-am', 'ours'])
    tryGit(['merge', 'side'])
    const { commit } = await save(world(), base)
    expect(await world().fileAt(commit, 'kept.txt')).toContain('<<<<<<<')
  })

  test('a history that the agent broke costs its commits, not its files', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'a.txt', 'a\n')
    agentGit(world(), ['add', '.'])
    agentGit(world(), ['commit', '--quiet', '-m', 'own'])
    const tree = agentGit(world(), ['rev-parse', 'HEAD^{tree}'])
    rmSync(join(world().workspaces.folder(ONE), '.git/objects', tree.slice(0, 2), tree.slice(2)))
    const { commit } = await save(world(), base)
    expect(log(commit)).toEqual(['work', 'ignore', 'first'])
    expect(await world().fileAt(commit, 'a.txt')).toBe('a\n')
  })

  test('a git folder that is gone is a missing workspace, and its files are salvaged', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    rmSync(join(world().workspaces.folder(ONE), '.git'), { recursive: true })
    expect(await world().workspaces.exists(ONE)).toBe(false)
    await expect(save(world(), base)).rejects.toMatchObject({ problems: [{ code: 'workspace-missing' }] })
    expect(await begin(world())).toBe(base)
    expect(await world().fileIn(world().workspaces.folder(ONE), 'late.txt')).toBeNull()
    const saved = known(await world().refAt('refs/longhaul/salvage/one-a1'))
    expect(await world().fileAt(saved, 'late.txt')).toBe('late\n')
  })

  test('so is one that git makes nothing of', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    writeFileSync(join(world().workspaces.folder(ONE), '.git/HEAD'), 'garbage')
    await expect(save(world(), base)).rejects.toMatchObject({ problems: [{ code: 'workspace-missing' }] })
    expect(await begin(world())).toBe(base)
    const saved = known(await world().refAt('refs/longhaul/salvage/one-a1'))
    expect(await world().fileAt(saved, 'late.txt')).toBe('late\n')
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    expect(await save(world(), base)).toMatchObject({ changed: 1 })
  })
})

test('branches and stashes that the agent left are salvaged', async () => {
  const base = await begin(world())
  agentGit(world(), ['checkout', '--quiet', '-b', 'aside'])
  await world().agentWrites(ONE, 'aside.txt', 'aside\n')
  agentGit(world(), ['add', '.'])
  agentGit(world(), ['commit', '--quiet', '-m', 'aside'])
  agentGit(world(), ['checkout', '--quiet', '-'])
  await world().agentWrites(ONE, 'kept.txt', 'stashed\n')
  agentGit(world(), ['stash', '--quiet'])
  const { salvage } = await release(world(), base, base, 'keep')
  expect(salvage).toEqual(['refs/longhaul/salvage/one-a1++aside', 'refs/longhaul/salvage/one-a1++stash'])
  expect(await world().fileAt(known(await world().refAt(salvage[0] ?? '')), 'aside.txt')).toBe('aside\n')
  expect(await world().fileAt(known(await world().refAt(salvage[1] ?? '')), 'kept.txt')).toBe('stashed\n')
  expect((await release(world(), base, base, 'keep')).salvage).toEqual(salvage)
})

test('more work after a salvage is kept beside it', async () => {
  const base = await begin(world())
  await world().agentWrites(ONE, 'a.txt', 'a\n')
  await release(world(), base, base, 'keep')
  const first = known(await world().refAt('refs/longhaul/salvage/one-a1'))
  await world().agentWrites(ONE, 'a.txt', 'b\n')
  await release(world(), base, base, 'keep')
  const second = known(await world().refAt('refs/longhaul/salvage/one-a1'))
  expect(await world().fileAt(second, 'a.txt')).toBe('b\n')
  expect(await world().parentsOf(second)).toContain(first)
})

function tryGit(args: readonly string[]): void {
  try {
    agentGit(world(), args)
  } catch {
    // a refusal is as good
  }
}

function log(commit: Commit): readonly string[] {
  return world().repo.git(['log', '--format=%s', commit]).split('\n')
}

test('the base is the commit that the target had', async () => {
  expect(await begin(world())).toBe(await targetTip(world()))
})

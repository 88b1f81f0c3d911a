import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { attemptSpec, type SpecOverrides } from '../../../test/conformance/attempt-specs.ts'
import { unlimited } from '../../../test/conformance/containments.ts'
import {
  agentGit,
  begin,
  containment,
  NEVER,
  ONE,
  putOnLine,
  release,
  save,
  useGitWorld,
} from '../../../test/conformance/git-tests.ts'
import { targetTip } from '../../../test/conformance/git-world.ts'
import { HANG_MS, SOON } from '../../../test/patience.ts'
import type { AttemptId, Commit } from '../../core/model/ids.ts'
import { pidFolderOf } from './clone-paths.ts'
import { sharedClones } from './shared-clones.ts'

const world = useGitWorld()

describe('a clone', () => {
  test("has the user's identity and content settings, no remote, and nothing that runs by itself", async () => {
    const { repo } = world()
    repo.git(['remote', 'add', 'origin', join(repo.root, 'elsewhere')])
    repo.git(['config', '--global', 'core.autocrlf', 'input'])
    repo.git(['config', 'filter.upper.clean', 'tr a-z A-Z'])
    repo.git(['config', 'commit.gpgSign', 'true'])
    repo.git(['config', 'core.hooksPath', '.hooks'])
    repo.write('.git/info/exclude', 'private.txt\n')
    await world().restart()
    await begin(world())
    expect(agentGit(world(), ['remote'])).toBe('')
    expect(agentGit(world(), ['config', 'user.email'])).toBe('user@example.org')
    expect(agentGit(world(), ['config', '--local', 'core.autocrlf'])).toBe('input')
    expect(agentGit(world(), ['config', '--local', 'filter.upper.clean'])).toBe('tr a-z A-Z')
    expect(agentGit(world(), ['config', 'commit.gpgSign'])).toBe('false')
    expect(agentGit(world(), ['symbolic-ref', 'HEAD'])).toBe('refs/heads/longhaul/one-a1')
    await world().agentWrites(ONE, 'private.txt', 'x\n')
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
  })

  test('stores and restores content through filters and line endings as the repository does', async () => {
    const { repo } = world()
    repo.git(['config', 'filter.mark.clean', "sed 's/^smudged //'"])
    repo.git(['config', 'filter.mark.smudge', "sed 's/^/smudged /'"])
    repo.git(['config', 'core.safecrlf', 'true'])
    repo.write('.gitattributes', '*.mark filter=mark\n*.dos text eol=crlf\n')
    repo.write('a.mark', 'smudged a\n')
    repo.commit('filters')
    await world().restart()
    const base = await begin(world())
    const folder = world().workspaces.folder(ONE)
    expect(await world().fileIn(folder, 'a.mark')).toBe('smudged a\n')
    await world().agentWrites(ONE, 'b.mark', 'smudged b\n')
    await world().agentWrites(ONE, 'c.dos', 'mixed\r\nendings\n')
    const { commit } = await save(world(), base)
    expect(await world().fileAt(commit, 'b.mark')).toBe('b\n')
    expect(await world().fileAt(commit, 'c.dos')).toBe('mixed\nendings\n')
  })

  test('is one in which git does everything it does elsewhere', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'a.txt', 'a\n')
    agentGit(world(), ['add', '--all'])
    agentGit(world(), ['commit', '--quiet', '-m', 'a'])
    agentGit(world(), ['tag', 'mine'])
    agentGit(world(), ['switch', '--quiet', '--create', 'side', base])
    await world().agentWrites(ONE, 'b.txt', 'b\n')
    agentGit(world(), ['stash', 'push', '--include-untracked', '--quiet'])
    agentGit(world(), ['gc', '--quiet', '--prune=now'])
    agentGit(world(), ['stash', 'pop', '--quiet'])
    agentGit(world(), ['merge', '--quiet', 'longhaul/one-a1'])
    agentGit(world(), ['clone', '--quiet', '.', '../copy'])
    expect(agentGit(world(), ['fsck', '--strict', '--no-dangling'])).toBe('')
    expect(agentGit(world(), ['log', '--format=%s', `${base}..mine`])).toBe('a')
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('?? b.txt')
  })

  test('has a place for exclusions', async () => {
    await begin(world(), { setup: ['echo private.txt >> .git/info/exclude'] })
    await world().agentWrites(ONE, 'private.txt', 'x\n')
    expect(agentGit(world(), ['status', '--porcelain'])).toBe('')
  })

  test('knows the tags, packed and loose, and no other branch', async () => {
    const { repo } = world()
    repo.git(['tag', 'v1'])
    repo.git(['tag', '-a', '-m', 'two', 'deep/v2'])
    repo.git(['branch', 'other'])
    repo.git(['pack-refs', '--all'])
    repo.commit('more')
    repo.git(['tag', 'v3'])
    await begin(world())
    expect(agentGit(world(), ['tag']).split('\n')).toEqual(['deep/v2', 'v1', 'v3'])
    expect(agentGit(world(), ['describe', '--tags'])).toBe('v3')
    expect(agentGit(world(), ['rev-parse', 'deep/v2^{commit}'])).toBe(repo.git(['rev-parse', 'v1']))
    expect(agentGit(world(), ['branch', '--all'])).toBe('* longhaul/one-a1')
  })

  test('is made also while the user makes and deletes tags', async () => {
    const { repo } = world()
    repo.git(['tag', 'stays'])
    const tags = join(repo.checkout, '.git/refs/tags')
    const comesAndGoes = `cd '${tags}'; while :; do ln stays a; ln stays b; ln stays z; rm -f a b z; done`
    await begin(world(), {}, 'zero-a1' as AttemptId)
    const enough = new AbortController()
    const user = world().workspaces.hook('zero-a1' as AttemptId, 'user', comesAndGoes, 60_000, enough.signal)
    for (let number = 1; number <= 12; number += 1) await begin(world(), {}, `many-a${number}` as AttemptId)
    await begin(world())
    enough.abort()
    await user
    expect(agentGit(world(), ['tag']).split('\n')).toContain('stays')
  })

  test('of a shallow repository works, also with commits of the agent', async () => {
    const { repo } = world()
    repo.commit('second')
    repo.commit('third')
    repo.git(['clone', '--quiet', '--depth=1', `file://${repo.checkout}`, join(repo.root, 'shallow')])
    const shallow = join(repo.root, 'shallow')
    repo.git(['config', 'user.name', 'x'], shallow)
    repo.git(['config', 'user.email', 'x@example.org'], shallow)
    const repository = await repo.open(shallow)
    const options = {
      repository,
      home: join(repo.root, 'other'),
      environment: repo.env,
      sandbox: unlimited(containment),
    }
    const workspaces = sharedClones(options)
    const base = repo.git(['rev-parse', 'HEAD'], shallow) as Commit
    expect(await workspaces.ensure(attemptSpec(ONE, base), base, NEVER)).toBe(base)
    repo.write('a.txt', 'a\n', workspaces.folder(ONE))
    repo.git(['add', '.'], workspaces.folder(ONE))
    repo.git(['commit', '--quiet', '-m', 'own'], workspaces.folder(ONE))
    const result = await workspaces.checkpoint(attemptSpec(ONE, base), base, 'work')
    expect(result).toMatchObject({ kind: 'checkpoint', changed: 1 })
    expect(repo.git(['log', '--format=%s', 'longhaul/one-a1'], shallow)).toBe('own\nthird')
  })
})

describe('.worktreeinclude', () => {
  test('brings in ignored files, and only those', async () => {
    const { repo } = world()
    repo.write('.gitignore', '.env\ncache/\n')
    repo.write('.worktreeinclude', '.env\nnotes.txt\ncache/keep/\nkept.txt\n')
    repo.commit('rules')
    repo.write('.env', 'SECRET=1\n')
    repo.write('sub dir/.env', 'ü\n')
    repo.write('cache/keep/a.bin', 'a')
    repo.write('cache/other.bin', 'b')
    repo.write('notes.txt', 'untracked, not ignored\n')
    const base = await begin(world())
    const folder = world().workspaces.folder(ONE)
    expect(await world().fileIn(folder, '.env')).toBe('SECRET=1\n')
    expect(await world().fileIn(folder, 'sub dir/.env')).toBe('ü\n')
    expect(await world().fileIn(folder, 'cache/keep/a.bin')).toBe('a')
    expect(await world().fileIn(folder, 'cache/other.bin')).toBeNull()
    expect(await world().fileIn(folder, 'notes.txt')).toBeNull()
    expect(await save(world(), base)).toMatchObject({ changed: 0 })
    const result = await world().workspaces.checkOut('x', base, { setup: [], setupMs: 1_000 }, NEVER)
    expect(await world().fileIn((result as { folder: string }).folder, '.env')).toBe('SECRET=1\n')
  })

  test('follows no link out of the checkout, and writes through none', async () => {
    const { repo } = world()
    repo.write('../secret.txt', 'outside\n')
    repo.write('.gitignore', 'link*\nfolder/ignored.txt\n')
    repo.write('.worktreeinclude', 'link*\nfolder/ignored.txt\n')
    mkdirSync(join(repo.root, 'outside'))
    symlinkSync(join(repo.root, 'outside'), join(repo.checkout, 'folder'))
    repo.commit('a link where a folder will be')
    repo.git(['rm', '--quiet', '--cached', 'folder'])
    repo.git(['clean', '-fdq', 'folder'])
    repo.write('folder/ignored.txt', 'inside\n')
    symlinkSync('../secret.txt', join(repo.checkout, 'link-out'))
    symlinkSync('kept.txt', join(repo.checkout, 'link-in'))
    await begin(world())
    const folder = world().workspaces.folder(ONE)
    expect(await world().fileIn(folder, 'link-in')).toBe('kept\n')
    expect(existsSync(join(folder, 'link-out'))).toBe(false)
    expect(readdirSync(join(repo.root, 'outside'))).toEqual([])
    expect(world().notes).toEqual([expect.stringContaining('folder/ignored.txt'), expect.stringContaining('link-out')])
  })
})

describe('setup and hooks', () => {
  test('after_create runs first, then the commands in order, in the folder that stays', async () => {
    const setup = ['pwd > where.txt; test -f first.txt', 'cat where.txt >> order.txt']
    await begin(world(), { setup, hooks: { afterCreate: 'touch first.txt' } })
    const folder = world().workspaces.folder(ONE)
    expect(await world().fileIn(folder, 'order.txt')).toBe(`${folder}\n`)
  })

  test('a command that fails is reported with its output, and the workspace does not exist', async () => {
    const failed = await ensure({ setup: ['echo before', 'echo it broke; exit 3', 'touch never.txt'] })
    expect(failed).toEqual({
      kind: 'setup-failed',
      command: 'echo it broke; exit 3',
      exitCode: 3,
      timedOut: false,
      output: 'it broke\n',
    })
    expect(await world().workspaces.exists(ONE)).toBe(false)
    expect(await world().workspaces.list()).toMatchObject([{ kind: 'partial', attempt: ONE }])
    const base = await targetTip(world())
    expect(await release(world(), base, base, 'keep')).toEqual({ kind: 'released', kept: true, salvage: [] })
    expect(await ensure({ setup: ['test ! -e never.txt'] })).toBe(base)
  })

  test('a hook that fails is fatal after creation', async () => {
    expect(await ensure({ hooks: { afterCreate: 'exit 7' } })).toMatchObject({ kind: 'setup-failed', exitCode: 7 })
  })

  test('all commands share one time limit', async () => {
    const failed = await ensure({ setup: ['sleep 1', 'sleep 1'], setupMs: 1_500 })
    expect(failed).toMatchObject({ kind: 'setup-failed', command: 'sleep 1', timedOut: true })
  })

  test('setup that is called off is done again', async () => {
    const calledOff = new AbortController()
    const base = await targetTip(world())
    const spec = attemptSpec(ONE, base, { setup: ['touch started.txt; sleep 300'] })
    const answer = world().workspaces.ensure(spec, base, calledOff.signal)
    const started = join(world().workspaces.folder(ONE), 'started.txt')
    await expect.poll(() => existsSync(started), SOON).toBe(true)
    calledOff.abort()
    expect(await answer).toMatchObject({ kind: 'problem', code: 'cancelled', retry: 'later' })
    expect(await ensure({ setup: ['test ! -e started.txt'] })).toBe(base)
  })

  test('hooks around rounds say how they went', async () => {
    await begin(world())
    const hook = (command: string, ms = HANG_MS) => world().workspaces.hook(ONE, 'before_run', command, ms, NEVER)
    expect(await hook('test -f kept.txt')).toBeNull()
    expect(await hook('echo no; exit 1')).toMatchObject({ kind: 'setup-failed', exitCode: 1, output: 'no\n' })
    expect(await hook('sleep 300', 100)).toMatchObject({ timedOut: true })
  })

  test('a failing before_remove hook is noted and stops nothing', async () => {
    const base = await begin(world())
    await putOnLine(world(), base)
    const spec = attemptSpec(ONE, base, { hooks: { beforeRemove: 'echo cannot; exit 9' } })
    expect(await world().workspaces.release(spec, base, 'landed')).toMatchObject({ kind: 'released', kept: false })
    expect(world().notes).toEqual([expect.stringMatching(/before_remove of one-a1 failed.*9.*cannot/s)])
  })

  test('a checkout is readied, too, and a red setup leaves nothing', async () => {
    const base = await targetTip(world())
    const checkOut = (setup: readonly string[]) => {
      return world().workspaces.checkOut('x', base, { setup, setupMs: 10_000 }, NEVER)
    }
    const result = await checkOut(['echo ready > ready.txt'])
    expect(await world().fileIn((result as { folder: string }).folder, 'ready.txt')).toBe('ready\n')
    expect(await checkOut(['exit 4'])).toMatchObject({ kind: 'setup-failed', exitCode: 4 })
    expect(await world().workspaces.list()).toEqual([])
  })
})

test('the starts of processes are recorded where no agent tidies up', async () => {
  const folder = world().workspaces.folder(ONE)
  expect(pidFolderOf(folder)).toBe(join(world().repo.home, '.own/one-a1/pids'))
})

async function ensure(wishes: SpecOverrides) {
  const base = await targetTip(world())
  return world().workspaces.ensure(attemptSpec(ONE, base, wishes), base, NEVER)
}

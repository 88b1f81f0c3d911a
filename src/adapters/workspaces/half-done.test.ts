import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { attemptSpec } from '../../../test/conformance/attempt-specs.ts'
import { begin, NEVER, ONE, putOnLine, release, save, useGitWorld } from '../../../test/conformance/git-tests.ts'
import { known, targetTip } from '../../../test/conformance/git-world.ts'
import type { AttemptId, Commit, LandingId } from '../../core/model/ids.ts'
import { unwrap } from '../../core/model/problem.ts'

const world = useGitWorld()

const ready = () => join(world().repo.home, '.own/one-a1/ready')
const root = () => dirname(world().workspaces.folder(ONE))
const removing = () => join(world().repo.home, '.removing-one-a1')

describe('a workspace that was half made', () => {
  test.each([
    ['nothing but its refs', () => rmSync(root(), { recursive: true })],
    ['an empty folder', () => emptied(root())],
    ['a git folder without files', () => rmSync(join(world().workspaces.folder(ONE), 'kept.txt'))],
    ['files without a git folder', () => rmSync(join(world().workspaces.folder(ONE), '.git'), { recursive: true })],
    ['a locked index', () => writeFileSync(join(world().repo.home, '.own/one-a1/index.lock'), '')],
  ])('with %s is made anew', async (_, undo) => {
    const base = await begin(world())
    rmSync(ready())
    undo()
    expect(await world().workspaces.exists(ONE)).toBe(false)
    await world().restart()
    expect(await begin(world())).toBe(base)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    expect(await save(world(), base)).toMatchObject({ changed: 1 })
    expect(await world().workspaces.list()).toMatchObject([{ kind: 'workspace', attempt: ONE }])
  })

  test('and left behind is listed and discarded', async () => {
    await begin(world())
    rmSync(ready())
    expect(await world().workspaces.list()).toMatchObject([{ name: 'one-a1', kind: 'partial', attempt: ONE }])
    expect(await world().workspaces.discard('one-a1')).toBeNull()
    expect(await world().workspaces.list()).toEqual([])
    expect(await world().refAt('refs/longhaul/base/one-a1')).toBeNull()
  })
})

describe('a workspace that was half removed', () => {
  test('is finished by releasing it again', async () => {
    const base = await begin(world())
    await putOnLine(world(), base)
    renameSync(root(), removing())
    await world().restart()
    expect(await world().workspaces.list()).toMatchObject([{ name: 'one-a1', kind: 'leftover', attempt: ONE }])
    expect(await release(world(), base, base, 'landed')).toMatchObject({ kept: false })
    expect(existsSync(removing())).toBe(false)
    expect(await world().workspaces.list()).toEqual([])
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBeNull()
  })

  test('is finished by making it again', async () => {
    const base = await begin(world())
    renameSync(root(), removing())
    expect(await begin(world())).toBe(base)
    expect(existsSync(removing())).toBe(false)
  })

  test('is finished by discarding it', async () => {
    await begin(world())
    renameSync(root(), removing())
    expect(await world().workspaces.discard('one-a1')).toBeNull()
    expect(await world().workspaces.list()).toEqual([])
  })

  test('with only its records left is still listed', async () => {
    await begin(world())
    rmSync(root(), { recursive: true })
    expect(await world().workspaces.list()).toMatchObject([{ name: 'one-a1', kind: 'leftover' }])
    expect(await world().workspaces.discard('one-a1')).toBeNull()
    expect(await world().workspaces.list()).toEqual([])
  })
})

describe('a removal that is cancelled', () => {
  test.each(['a workspace with unsaved work', 'a half removed one'])('leaves %s for the next one', async (which) => {
    await begin(world())
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    if (which === 'a half removed one') renameSync(root(), removing())
    const cancelled = await world().workspaces.discard('one-a1', AbortSignal.abort())
    expect(cancelled).toMatchObject({ code: 'cancelled', retry: 'later' })
    expect(await world().workspaces.list()).toMatchObject([{ name: 'one-a1' }])
    expect(await world().workspaces.discard('one-a1')).toBeNull()
    expect(await world().workspaces.list()).toEqual([])
  })
})

describe('names', () => {
  test.each(['..-a1', '.hidden-a1', '-dash-a1', 'x.-a1', 'UPPER.lower_1-a1'])('%s works', async (attempt) => {
    const id = attempt as AttemptId
    const base = await begin(world(), {}, id)
    await world().agentWrites(attempt, 'new.txt', 'new\n')
    const { commit } = await save(world(), base, base, {}, id)
    expect(world().repo.git(['rev-parse', world().landing.branchOf(id)])).toBe(commit)
    expect(await world().workspaces.list()).toMatchObject([{ kind: 'workspace', attempt }])
    expect(await world().landing.attemptNumbers()).toEqual(new Map([[attempt.replace('-a1', ''), 1]]))
  })

  test.each(['..', '.own', '../state', 'unknown'])('%s is not discarded', async (name) => {
    await begin(world())
    expect(await world().workspaces.discard(name)).toMatchObject({ code: 'workspace-unknown' })
    expect(await world().workspaces.exists(ONE)).toBe(true)
  })
})

describe('the branch of an attempt', () => {
  test('of another repository is not used', async () => {
    const base = await targetTip(world())
    const theirs = await world().userCommits('mine.txt', 'mine\n')
    world().repo.git(['branch', 'longhaul/one-a1', theirs])
    const spec = attemptSpec(ONE, base)
    expect(await world().workspaces.ensure(spec, base, NEVER)).toMatchObject({ code: 'branch-taken', retry: 'person' })
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(theirs)
    expect(await world().refAt('refs/longhaul/base/one-a1')).toBeNull()
  })

  test("that a person checks out while work is being taken stays where that person's files are", async () => {
    const { repo } = world()
    const noPlace = 'unset $(git rev-parse --local-env-vars)'
    const checkOut = `git -C '${repo.checkout}' checkout --quiet longhaul/one-a1`
    repo.git(['config', 'filter.meanwhile.clean', `(${noPlace}; ${checkOut}) >&2; cat`])
    repo.write('.gitattributes', '*.new filter=meanwhile\n')
    repo.commit('a filter')
    await world().restart()
    const base = await begin(world())
    await world().agentWrites(ONE, 'a.new', 'new\n')
    const { commit } = await save(world(), base)
    expect(repo.git(['symbolic-ref', '--short', 'HEAD'])).toBe('longhaul/one-a1')
    expect(repo.git(['status', '--porcelain'])).toBe('')
    expect(await world().refAt('refs/longhaul/attempt/one-a1')).toBe(commit)
  })

  test('that a person looks at stays where it is, with the work pinned beside it', async () => {
    const base = await begin(world())
    world().repo.git(['checkout', '--quiet', 'longhaul/one-a1'])
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), base)
    expect(world().repo.git(['status', '--porcelain'])).toBe('')
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(base)
    expect(await world().refAt('refs/longhaul/attempt/one-a1')).toBe(commit)
    world().repo.git(['checkout', '--quiet', 'main'])
    expect(await save(world(), base, commit)).toMatchObject({ commit })
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(commit)
  })

  test('of failed work has what no checkpoint has, unless a person looks at it', async () => {
    const base = await begin(world())
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    await release(world(), base, base, 'keep')
    const salvaged = known(await world().refAt('refs/longhaul/salvage/one-a1'))
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(salvaged)
    world().repo.git(['checkout', '--quiet', 'longhaul/one-a1'])
    await world().agentWrites(ONE, 'later.txt', 'later\n')
    await release(world(), base, base, 'keep')
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(salvaged)
  })

  test('that a person committed to keeps their commits, also after landing', async () => {
    const base = await begin(world())
    world().repo.git(['checkout', '--quiet', 'longhaul/one-a1'])
    const theirs = await world().userCommits('theirs.txt', 'theirs\n')
    world().repo.git(['checkout', '--quiet', 'main'])
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), base)
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(theirs)
    await putOnLine(world(), commit)
    expect(await release(world(), base, commit, 'landed')).toMatchObject({ kept: false, salvage: [] })
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(theirs)
  })
})

test('squashed work is removed on proof that all of it landed, and not without', async () => {
  const base = await begin(world())
  await world().landing.openLine('main')
  await world().agentWrites(ONE, 'new.txt', 'new\n')
  const { commit } = await save(world(), base)
  const order = { target: 'main', line: base, lastTarget: base, mode: 'squash' as const }
  const landing = ONE as string as Parameters<ReturnType<typeof world>['landing']['prepare']>[0]
  const subject = { kind: 'attempt' as const, attempt: ONE, commit }
  const message = `one: Title\n\nAttempt: ${ONE}\n`
  const candidate = await world().landing.prepare(landing, subject, { ...order, message })
  if (candidate.kind !== 'prepared') throw new Error(JSON.stringify(candidate))
  unwrap(await world().landing.advance('landing' as LandingId, 'main', base, candidate.commit))
  await world().agentWrites(ONE, 'more.txt', 'more\n')
  const { commit: later } = await save(world(), base, commit)
  const spec = attemptSpec(ONE, base)
  expect(await world().workspaces.release(spec, later, 'landed')).toMatchObject({ code: 'not-landed' })
  expect(await release(world(), base, commit, 'landed')).toMatchObject({ kept: false })
  const saved = known(await world().refAt('refs/longhaul/salvage/one-a1++checkpoint'))
  expect(saved).toBe(later)
})

describe('squashed work', () => {
  const squash = async (base: Commit, commit: Commit) => {
    const order = { target: 'main', line: base, lastTarget: base, mode: 'squash' as const, message: 'one\n' }
    const subject = { kind: 'attempt' as const, attempt: ONE, commit }
    const candidate = await world().landing.prepare('landing' as LandingId, subject, order)
    if (candidate.kind !== 'prepared') throw new Error(JSON.stringify(candidate))
    unwrap(await world().landing.advance('landing' as LandingId, 'main', candidate.line, candidate.commit))
    await world().landing.unpin('landing' as LandingId)
    return candidate.commit
  }
  const ownRefs = () =>
    world()
      .repo.git(['for-each-ref', '--format=%(refname)', 'refs/longhaul', 'refs/heads/longhaul'])
      .split('\n')
      .filter((ref) => !/landed|seen/.test(ref))

  test.each([
    ['alone', 'new.txt', []],
    ['beside a change of the same file by the user', 'kept.txt', ['kept\nfirst\n']],
  ])('leaves nothing behind when it landed %s', async (_, path, before) => {
    const base = await begin(world())
    await world().landing.openLine('main')
    await world().agentWrites(ONE, path, 'agent\nkept\n')
    const { commit } = await save(world(), base)
    for (const text of before) await world().userCommits(path, text)
    const landed = await squash(base, commit)
    expect(await release(world(), base, landed, 'landed')).toMatchObject({ kept: false, salvage: [] })
    expect(ownRefs()).toEqual([])
  })

  test('that was on the line already leaves nothing behind', async () => {
    const base = await begin(world())
    await world().landing.openLine('main')
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), base)
    await world().userCommits('new.txt', 'new\n')
    const landed = await squash(base, commit)
    expect(await release(world(), base, landed, 'landed')).toMatchObject({ kept: false, salvage: [] })
    expect(ownRefs()).toEqual([])
  })

  test('with a later checkpoint keeps that one', async () => {
    const base = await begin(world())
    await world().landing.openLine('main')
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), base)
    const landed = await squash(base, commit)
    await world().agentWrites(ONE, 'more.txt', 'more\n')
    const { commit: later } = await save(world(), base, commit)
    await release(world(), base, landed, 'landed')
    expect(ownRefs()).toEqual(['refs/longhaul/salvage/one-a1++checkpoint'])
    expect(await world().refAt('refs/longhaul/salvage/one-a1++checkpoint')).toBe(later)
  })
})

test('a discarded workspace leaves its branch, and no pins', async () => {
  const base = await begin(world())
  await world().agentWrites(ONE, 'new.txt', 'new\n')
  const { commit } = await save(world(), base)
  expect(await world().workspaces.discard('one-a1')).toBeNull()
  expect(world().repo.git(['for-each-ref', '--format=%(refname)', 'refs/longhaul', 'refs/heads/longhaul'])).toBe(
    'refs/heads/longhaul/one-a1',
  )
  expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(commit)
})

function emptied(folder: string): void {
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
}

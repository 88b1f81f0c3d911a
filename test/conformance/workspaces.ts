import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AttemptId, Commit, LandingId } from '../../src/core/model/ids.ts'
import { unwrap } from '../../src/core/model/problem.ts'
import type { Checkout, Checkpoint, Released } from '../../src/ports/workspaces.ts'
import { attemptSpec } from './attempt-specs.ts'
import { type GitWorld, known, targetTip } from './git-world.ts'

/** Conformance suite for workspaces. The world starts with one commit on main that holds `kept.txt` ("kept\n"). */
export function workspacesConformance(name: string, make: () => Promise<GitWorld>): void {
  describe(`workspaces: ${name}`, () => {
    let current: GitWorld
    beforeEach(async () => {
      current = await make()
    })
    afterEach(() => current.leave())
    const world = (): GitWorld => current
    areCreated(world)
    areSaved(world)
    areAmended(world)
    areReleased(world)
    areListed(world)
    areCheckedOut(world)
  })
}

const ONE = 'one-a1' as AttemptId
const TWO = 'two-a1' as AttemptId
const NEVER = new AbortController().signal

function areCreated(world: () => GitWorld): void {
  test('a workspace has the files of its commit', async () => {
    expect(await world().workspaces.exists(ONE)).toBe(false)
    const base = await begin(world(), ONE)
    expect(await world().workspaces.exists(ONE)).toBe(true)
    expect(await world().fileIn(world().workspaces.folder(ONE), 'kept.txt')).toBe('kept\n')
    expect(base).toBe(await targetTip(world()))
  })

  test('an existing workspace is left as it is, also after a restart', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    await world().restart()
    expect(await world().workspaces.ensure(attemptSpec(ONE, base), base, NEVER)).toBe(base)
    expect(await world().fileIn(world().workspaces.folder(ONE), 'new.txt')).toBe('new\n')
  })

  test('two attempts do not see each other', async () => {
    await begin(world(), ONE)
    await begin(world(), TWO)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    expect(await world().fileIn(world().workspaces.folder(TWO), 'new.txt')).toBeNull()
  })

  test('a workspace that vanished is created again from the given commit', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), ONE, base)
    await world().workspaceVanishes(ONE)
    expect(await world().workspaces.exists(ONE)).toBe(false)
    expect(await world().workspaces.ensure(attemptSpec(ONE, base), commit, NEVER)).toBe(commit)
    expect(await world().fileIn(world().workspaces.folder(ONE), 'new.txt')).toBe('new\n')
  })

  test('a workspace without processes can be emptied', async () => {
    await begin(world(), ONE)
    expect(await world().workspaces.endProcesses(ONE)).toBeNull()
    expect(await world().workspaces.endProcesses(TWO)).toBeNull()
  })
}

function areSaved(world: () => GitWorld): void {
  test('a checkpoint has the written files and not the deleted ones, on the branch of the attempt', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    await world().agentWrites(ONE, 'kept.txt', null)
    const { commit, changed } = await save(world(), ONE, base)
    expect(await world().fileAt(commit, 'new.txt')).toBe('new\n')
    expect(await world().fileAt(commit, 'kept.txt')).toBeNull()
    expect(await world().parentsOf(commit)).toEqual([base])
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(commit)
    expect(changed).toBe(2)
  })

  test('a repeated checkpoint returns the same commit', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const first = await save(world(), ONE, base)
    await world().restart()
    expect(await save(world(), ONE, base)).toEqual(first)
    expect(await save(world(), ONE, base, first.commit)).toEqual(first)
  })

  test('a checkpoint without changes is the existing commit', async () => {
    const base = await begin(world(), ONE)
    expect(await save(world(), ONE, base)).toMatchObject({ commit: base, changed: 0 })
  })

  test('checkpoints follow each other, and count files since the base', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'a.txt', 'a\n')
    const first = await save(world(), ONE, base)
    await world().agentWrites(ONE, 'b.txt', 'b\n')
    const second = await save(world(), ONE, base, first.commit)
    expect(await world().parentsOf(second.commit)).toEqual([first.commit])
    expect(second.changed).toBe(2)
  })

  test('the history up to a commit is known even without the workspace', async () => {
    const base = await begin(world(), ONE)
    const spec = attemptSpec(ONE, base)
    expect(await world().workspaces.history(spec, base)).toMatch(/Changed since .*: nothing/)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    await world().agentWrites(ONE, 'kept.txt', null)
    const { commit } = await save(world(), ONE, base)
    await world().workspaceVanishes(ONE)
    const history = await world().workspaces.history(spec, commit)
    for (const path of ['new.txt', 'kept.txt']) expect(history).toContain(path)
  })

  test('a checkpoint without a workspace is a problem', async () => {
    const base = await begin(world(), ONE)
    await world().workspaceVanishes(ONE)
    const answer = await world().workspaces.checkpoint(attemptSpec(ONE, base), base, 'work')
    expect(answer).toMatchObject({ kind: 'problem', code: 'workspace-missing' })
  })
}

function areAmended(world: () => GitWorld): void {
  test('a checkpoint can replace the last one, unless the agent has committed on top of it', async () => {
    const base = await begin(world(), ONE)
    const { workspaces } = world()
    const spec = attemptSpec(ONE, base)
    await world().agentWrites(ONE, 'one.txt', '1\n')
    const first = await save(world(), ONE, base)
    await world().agentWrites(ONE, 'two.txt', '2\n')
    const second = unwrap(await workspaces.checkpoint(spec, first.commit, 'work', first.commit))
    expect(unwrap(await workspaces.checkpoint(spec, first.commit, 'work', first.commit))).toEqual(second)
    expect(await world().parentsOf(second.commit)).toEqual([base])
    await world().agentWrites(ONE, 'three.txt', '3\n')
    const third = unwrap(await workspaces.checkpoint(spec, second.commit, 'work', first.commit))
    expect(await world().parentsOf(third.commit)).toEqual([second.commit])
    const { folder, discard } = await checkOut(world(), third.commit)
    for (const name of ['one', 'two', 'three']) expect(await world().fileIn(folder, `${name}.txt`)).toMatch(/\d/)
    await discard()
  })
}

function areReleased(world: () => GitWorld): void {
  test('work that has not landed cannot be released as landed', async () => {
    const base = await begin(world(), ONE)
    await world().landing.openLine('main')
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), ONE, base)
    const answer = await world().workspaces.release(attemptSpec(ONE, base), commit, 'landed')
    expect(answer).toMatchObject({ kind: 'problem', code: 'not-landed' })
    expect(await world().workspaces.exists(ONE)).toBe(true)
  })

  test('the workspace, branch and pins of landed work are removed, and removing them twice is harmless', async () => {
    const { base, commit } = await landedWork(world())
    for (const _ of ['first', 'again']) {
      expect(await release(world(), ONE, base, commit, 'landed')).toEqual({
        kind: 'released',
        kept: false,
        salvage: [],
      })
      await world().restart()
    }
    expect(await world().workspaces.exists(ONE)).toBe(false)
    expect(await world().workspaces.list()).toEqual([])
    for (const ref of ['heads/longhaul/one-a1', 'longhaul/base/one-a1', 'longhaul/salvage/one-a1']) {
      expect(await world().refAt(`refs/${ref}`)).toBeNull()
    }
  })

  test('changes after the last checkpoint are salvaged before landed work is removed', async () => {
    const { base, commit } = await landedWork(world())
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    const { salvage, kept } = await release(world(), ONE, base, commit, 'landed')
    expect({ salvage, kept }).toEqual({ salvage: ['refs/longhaul/salvage/one-a1'], kept: false })
    const saved = known(await world().refAt('refs/longhaul/salvage/one-a1'))
    expect(await world().fileAt(saved, 'late.txt')).toBe('late\n')
    expect(await world().workspaces.exists(ONE)).toBe(false)
  })

  test('failed work is kept, with its branch', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), ONE, base)
    expect(await release(world(), ONE, base, commit, 'keep')).toEqual({ kind: 'released', kept: true, salvage: [] })
    expect(await world().workspaces.exists(ONE)).toBe(true)
    expect(await world().refAt('refs/heads/longhaul/one-a1')).toBe(commit)
  })

  test('changes of a failed attempt after its last checkpoint are salvaged', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    const { salvage } = await release(world(), ONE, base, base, 'keep')
    expect(salvage).toEqual(['refs/longhaul/salvage/one-a1'])
    const saved = known(await world().refAt('refs/longhaul/salvage/one-a1'))
    expect(await world().fileAt(saved, 'late.txt')).toBe('late\n')
  })

  test('a workspace that vanished can be released', async () => {
    const { base, commit } = await landedWork(world())
    await world().workspaceVanishes(ONE)
    expect(await release(world(), ONE, base, commit, 'landed')).toMatchObject({ kept: false })
    expect(await world().workspaces.list()).toEqual([])
  })
}

function areListed(world: () => GitWorld): void {
  test('existing workspaces are listed with their attempts', async () => {
    expect(await world().workspaces.list()).toEqual([])
    await begin(world(), ONE)
    await begin(world(), TWO)
    const listed = await world().workspaces.list()
    const whole = (attempt: string) => {
      return { name: expect.any(String), kind: 'workspace', attempt, changedAt: expect.any(Number) }
    }
    expect([...listed].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([whole(ONE), whole(TWO)])
  })

  test('the work of a discarded workspace is saved first', async () => {
    await begin(world(), ONE)
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    const [workspace] = await world().workspaces.list()
    await world().restart()
    expect(await world().workspaces.discard(known(workspace).name)).toBeNull()
    expect(await world().workspaces.list()).toEqual([])
    const saved = known(await world().refAt('refs/longhaul/salvage/one-a1'))
    expect(await world().fileAt(saved, 'late.txt')).toBe('late\n')
  })
}

function areCheckedOut(world: () => GitWorld): void {
  test('a checkout has the files of its commit and nothing else', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), ONE, base)
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    const { folder } = await checkOut(world(), commit)
    expect(await world().fileIn(folder, 'new.txt')).toBe('new\n')
    expect(await world().fileIn(folder, 'kept.txt')).toBe('kept\n')
    expect(await world().fileIn(folder, 'late.txt')).toBeNull()
  })

  test('a checkout is gone when it is discarded', async () => {
    const { folder, discard } = await checkOut(world(), await targetTip(world()))
    await discard()
    expect(await world().fileIn(folder, 'kept.txt')).toBeNull()
    expect(await world().workspaces.list()).toEqual([])
  })

  test('a checkout left by a crash is listed and created again', async () => {
    const first = await targetTip(world())
    await checkOut(world(), first)
    await world().restart()
    expect(await world().workspaces.list()).toMatchObject([{ kind: 'checkout', attempt: null }])
    const second = await world().userCommits('second.txt', 'second\n')
    const { folder, discard } = await checkOut(world(), second)
    expect(await world().fileIn(folder, 'second.txt')).toBe('second\n')
    await discard()
    expect(await world().workspaces.list()).toEqual([])
  })

  test('a checkout that is set aside frees its name at once, and is removed beside its successor', async () => {
    const first = await targetTip(world())
    await checkOut(world(), first)
    await world().restart()
    const [left] = await world().workspaces.list()
    const aside = unwrap(await world().workspaces.setAside(known(left).name))
    const second = await world().userCommits('second.txt', 'second\n')
    const { folder } = await checkOut(world(), second)
    expect((await world().workspaces.list()).map(({ name }) => name).toSorted()).toEqual([known(left).name, aside])
    expect(await world().workspaces.discard(aside)).toBeNull()
    expect(await world().fileIn(folder, 'second.txt')).toBe('second\n')
    expect((await world().workspaces.list()).map(({ name }) => name)).toEqual([known(left).name])
  })

  test('a workspace that is set aside keeps its name, and its work for salvage', async () => {
    await begin(world(), ONE)
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    const [left] = await world().workspaces.list()
    await world().restart()
    expect(await world().workspaces.setAside(known(left).name)).toBe(known(left).name)
    expect(await world().workspaces.discard(known(left).name)).toBeNull()
    expect(await world().fileAt(known(await world().refAt('refs/longhaul/salvage/one-a1')), 'late.txt')).toBe('late\n')
  })
}

async function begin(world: GitWorld, attempt: AttemptId): Promise<Commit> {
  const base = await targetTip(world)
  const commit = await world.workspaces.ensure(attemptSpec(attempt, base), base, NEVER)
  if (typeof commit !== 'string') throw new Error(JSON.stringify(commit))
  return commit
}

async function save(world: GitWorld, attempt: AttemptId, base: Commit, last = base): Promise<Checkpoint> {
  return unwrap(await world.workspaces.checkpoint(attemptSpec(attempt, base), last, 'work'))
}

async function release(
  world: GitWorld,
  attempt: AttemptId,
  base: Commit,
  commit: Commit,
  how: 'landed' | 'keep',
): Promise<Released> {
  return unwrap(await world.workspaces.release(attemptSpec(attempt, base), commit, how))
}

async function landedWork(world: GitWorld): Promise<{ readonly base: Commit; readonly commit: Commit }> {
  const base = await begin(world, ONE)
  await world.agentWrites(ONE, 'new.txt', 'new\n')
  const { commit } = await save(world, ONE, base)
  await world.landing.openLine('main')
  unwrap(await world.landing.advance('landing' as LandingId, 'main', base, commit))
  return { base, commit }
}

async function checkOut(world: GitWorld, commit: Commit): Promise<Checkout> {
  const checkout = unwrap(await world.workspaces.checkOut('candidate', commit, { setup: [], setupMs: 60_000 }, NEVER))
  if (checkout.kind !== 'checkout') throw new Error(checkout.output)
  return checkout
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AttemptId, Commit, LandingId } from '../../src/core/model/ids.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import type { Checkout, Checkpoint, Released } from '../../src/ports/workspaces.ts'
import { attemptSpec } from './attempt-specs.ts'
import { type GitWorld, known, targetTip } from './git-world.ts'

/** What all workspaces promise. The world starts with one commit on main that holds `kept.txt` ("kept\n"). */
export function workspacesConformance(name: string, make: () => Promise<GitWorld>): void {
  describe(`workspaces: ${name}`, () => {
    let made: GitWorld
    beforeEach(async () => {
      made = await make()
    })
    afterEach(() => made.leave())
    const world = (): GitWorld => made
    areMade(world)
    areSaved(world)
    areAmended(world)
    areReleased(world)
    areLeftBehind(world)
    areCheckedOut(world)
  })
}

const ONE = 'one-a1' as AttemptId
const TWO = 'two-a1' as AttemptId
const NEVER = new AbortController().signal

function areMade(world: () => GitWorld): void {
  test('a workspace has the files of its commit', async () => {
    expect(await world().workspaces.exists(ONE)).toBe(false)
    const base = await begin(world(), ONE)
    expect(await world().workspaces.exists(ONE)).toBe(true)
    expect(await world().fileIn(world().workspaces.folder(ONE), 'kept.txt')).toBe('kept\n')
    expect(base).toBe(await targetTip(world()))
  })

  test('one that is there is left as it is, also after a restart', async () => {
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

  test('one that vanished is made again from the commit given', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), ONE, base)
    await world().workspaceVanishes(ONE)
    expect(await world().workspaces.exists(ONE)).toBe(false)
    expect(await world().workspaces.ensure(attemptSpec(ONE, base), commit, NEVER)).toBe(commit)
    expect(await world().fileIn(world().workspaces.folder(ONE), 'new.txt')).toBe('new\n')
  })

  test('nothing lives in a workspace that was emptied', async () => {
    await begin(world(), ONE)
    expect(await world().workspaces.endProcesses(ONE)).toBeNull()
    expect(await world().workspaces.endProcesses(TWO)).toBeNull()
  })
}

function areSaved(world: () => GitWorld): void {
  test('a checkpoint has what was written and not what was deleted, on the branch of the attempt', async () => {
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

  test('a repeated checkpoint gives the same commit', async () => {
    const base = await begin(world(), ONE)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const first = await save(world(), ONE, base)
    await world().restart()
    expect(await save(world(), ONE, base)).toEqual(first)
    expect(await save(world(), ONE, base, first.commit)).toEqual(first)
  })

  test('a checkpoint of nothing new is the commit that was there', async () => {
    const base = await begin(world(), ONE)
    expect(await save(world(), ONE, base)).toMatchObject({ commit: base, changed: 0, protectedChanged: [] })
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

  test('what was done up to a commit is told, also without the workspace', async () => {
    const base = await begin(world(), ONE)
    const spec = attemptSpec(ONE, base)
    expect(await world().workspaces.history(spec, base)).toMatch(/Changed since .*: nothing/)
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    await world().agentWrites(ONE, 'kept.txt', null)
    const { commit } = await save(world(), ONE, base)
    await world().workspaceVanishes(ONE)
    const told = await world().workspaces.history(spec, commit)
    for (const path of ['new.txt', 'kept.txt']) expect(told).toContain(path)
  })

  test('without a workspace there is no checkpoint', async () => {
    const base = await begin(world(), ONE)
    await world().workspaceVanishes(ONE)
    const answer = await world().workspaces.checkpoint(attemptSpec(ONE, base), base, 'work')
    expect(answer).toMatchObject({ kind: 'problem', code: 'workspace-missing' })
  })
}

function areAmended(world: () => GitWorld): void {
  test('a checkpoint may take the place of the last one, unless the agent has gone on from it', async () => {
    const base = await begin(world(), ONE)
    const { workspaces } = world()
    const spec = attemptSpec(ONE, base)
    await world().agentWrites(ONE, 'one.txt', '1\n')
    const first = await save(world(), ONE, base)
    await world().agentWrites(ONE, 'two.txt', '2\n')
    const second = good(await workspaces.checkpoint(spec, first.commit, 'work', first.commit))
    expect(good(await workspaces.checkpoint(spec, first.commit, 'work', first.commit))).toEqual(second)
    expect(await world().parentsOf(second.commit)).toEqual([base])
    await world().agentWrites(ONE, 'three.txt', '3\n')
    const third = good(await workspaces.checkpoint(spec, second.commit, 'work', first.commit))
    expect(await world().parentsOf(third.commit)).toEqual([second.commit])
    const { folder, discard } = await checkOut(world(), third.commit)
    for (const name of ['one', 'two', 'three']) expect(await world().fileIn(folder, `${name}.txt`)).toMatch(/\d/)
    await discard()
  })
}

function areReleased(world: () => GitWorld): void {
  test('work that has not landed is not removed as landed', async () => {
    const base = await begin(world(), ONE)
    await world().landing.openLine('main')
    await world().agentWrites(ONE, 'new.txt', 'new\n')
    const { commit } = await save(world(), ONE, base)
    const answer = await world().workspaces.release(attemptSpec(ONE, base), commit, 'landed')
    expect(answer).toMatchObject({ kind: 'problem', code: 'not-landed' })
    expect(await world().workspaces.exists(ONE)).toBe(true)
  })

  test('the workspace, branch and pins of landed work go, and going twice is the same', async () => {
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

  test('what came after the last checkpoint is salvaged before landed work is removed', async () => {
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

  test('failed work that no checkpoint has is salvaged, too', async () => {
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

function areLeftBehind(world: () => GitWorld): void {
  test('those that are there are listed, with their attempts', async () => {
    expect(await world().workspaces.list()).toEqual([])
    await begin(world(), ONE)
    await begin(world(), TWO)
    const listed = await world().workspaces.list()
    const whole = (attempt: string) => {
      return { name: expect.any(String), kind: 'workspace', attempt, changedAt: expect.any(Number) }
    }
    expect([...listed].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([whole(ONE), whole(TWO)])
  })

  test('one that is discarded has its work saved first', async () => {
    await begin(world(), ONE)
    await world().agentWrites(ONE, 'late.txt', 'late\n')
    const [found] = await world().workspaces.list()
    await world().restart()
    expect(await world().workspaces.discard(known(found).name)).toBeNull()
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

  test('a checkout that a crash left is listed, and made afresh', async () => {
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
}

async function begin(world: GitWorld, attempt: AttemptId): Promise<Commit> {
  const base = await targetTip(world)
  const made = await world.workspaces.ensure(attemptSpec(attempt, base), base, NEVER)
  if (typeof made !== 'string') throw new Error(JSON.stringify(made))
  return made
}

async function save(world: GitWorld, attempt: AttemptId, base: Commit, last = base): Promise<Checkpoint> {
  return good(await world.workspaces.checkpoint(attemptSpec(attempt, base), last, 'work'))
}

async function release(
  world: GitWorld,
  attempt: AttemptId,
  base: Commit,
  commit: Commit,
  how: 'landed' | 'keep',
): Promise<Released> {
  return good(await world.workspaces.release(attemptSpec(attempt, base), commit, how))
}

async function landedWork(world: GitWorld): Promise<{ readonly base: Commit; readonly commit: Commit }> {
  const base = await begin(world, ONE)
  await world.agentWrites(ONE, 'new.txt', 'new\n')
  const { commit } = await save(world, ONE, base)
  await world.landing.openLine('main')
  good(await world.landing.advance('landing' as LandingId, 'main', base, commit))
  return { base, commit }
}

async function checkOut(world: GitWorld, commit: Commit): Promise<Checkout> {
  const made = good(await world.workspaces.checkOut('candidate', commit, { setup: [], setupMs: 60_000 }, NEVER))
  if (made.kind !== 'checkout') throw new Error(made.output)
  return made
}

function good<T>(value: T): Exclude<T, { readonly kind: 'problem' }> {
  if (isProblem(value)) throw new Error(`${value.code}: ${value.message}`)
  return value as Exclude<T, { readonly kind: 'problem' }>
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AttemptId, LandingId } from '../../src/core/model/ids.ts'
import { isProblem, unwrap } from '../../src/core/model/problem.ts'
import type { Prepared } from '../../src/ports/landing.ts'
import { type GitWorld, lineTip, targetTip } from './git-world.ts'
import {
  advance,
  land,
  landCommit,
  open,
  order,
  prepare,
  prepareSubject,
  revert,
  texts,
  workOf,
} from './landing-steps.ts'

/** Conformance suite for landing. The world starts with one commit on main, which is checked out and clean. */
export function landingConformance(name: string, make: () => Promise<GitWorld>): void {
  describe(`landing: ${name}`, () => {
    let current: GitWorld
    beforeEach(async () => {
      current = await make()
    })
    afterEach(() => current.leave())
    const world = (): GitWorld => current
    opens(world)
    prepares(world)
    mergesUserCommits(world)
    advances(world)
    reverts(world)
    follows(world)
    compares(world)
    variants(world)
  })
}

function opens(world: () => GitWorld): void {
  test('a line is opened at the target, and stays there', async () => {
    const tip = await targetTip(world())
    expect(await open(world())).toMatchObject({ kind: 'line-open', line: tip, target: tip })
    await world().restart()
    expect(await open(world())).toMatchObject({ kind: 'line-open', line: tip, target: tip })
    expect(await lineTip(world())).toBe(tip)
  })

  test('a line moves up to a target that is ahead of it', async () => {
    await open(world())
    const tip = await world().userCommits('users.txt', 'mine\n')
    expect(await open(world())).toMatchObject({ kind: 'line-open', line: tip, target: tip })
    expect(await lineTip(world())).toBe(tip)
  })

  test('a line that is ahead of its target, or has diverged from it, stays', async () => {
    const target = await targetTip(world())
    const line = await land(world(), 'one-a1', 'one.txt', 'one\n')
    expect(await open(world())).toMatchObject({ kind: 'line-open', line, target })
    const diverged = await world().userCommits('users.txt', 'mine\n')
    expect(await open(world())).toMatchObject({ kind: 'line-open', line, target: diverged })
  })
}

function compares(world: () => GitWorld): void {
  test('files of a commit are listed by their contents, and read', async () => {
    const work = await workOf(world(), 'one-a1', 'one.txt', 'kept\n')
    const { landing } = world()
    const files = unwrap(await landing.filesOf(work))
    expect(files.get('one.txt')).toMatch(/./)
    expect(files.get('one.txt')).toBe(files.get('kept.txt'))
    expect(await landing.readFiles(work, ['kept.txt', 'none.txt'])).toEqual(new Map([['kept.txt', 'kept\n']]))
  })

  test('work is compared with the commit of the line that it started from', async () => {
    const { line } = await open(world())
    const work = await workOf(world(), 'two-a1', 'two.txt', 'two\n')
    const landed = await land(world(), 'one-a1', 'one.txt', 'one\n')
    const { landing } = world()
    expect(await landing.baseOf('main', work)).toMatchObject({ kind: 'base', commit: line })
    expect(await landing.patch('main', work)).toMatch(/^diff --git .*two\.txt/)
    const candidate = await prepare(world(), 'two-a1', work)
    expect(await landing.baseOf('main', candidate.commit)).toMatchObject({ commit: landed })
    const comparison = await landing.compare(landed, candidate.commit)
    if (isProblem(comparison)) throw new Error(comparison.message)
    expect(comparison.files).toEqual([{ path: 'two.txt', kind: 'added', to: null, losesLines: false, linksTo: null }])
    const back = await landing.compare(candidate.commit, landed)
    expect(back).toMatchObject({ tree: candidate.tree, files: [{ path: 'two.txt', kind: 'deleted', to: null }] })
  })
}

function variants(world: () => GitWorld): void {
  test('a variant has the files of its commit, with some replaced, restored and removed, and moves nothing', async () => {
    const { line } = await open(world())
    const landed = await land(world(), 'one-a1', 'kept.txt', 'changed\n')
    const variant = await world().landing.variant(landed, [
      { path: 'kept.txt', from: line },
      { path: 'deep/new.txt', text: 'new\n' },
    ])
    if (isProblem(variant)) throw new Error(variant.message)
    expect(await texts(world(), variant.commit, 'kept.txt', 'deep/new.txt')).toEqual(['kept\n', 'new\n'])
    const without = await world().landing.variant(variant.commit, [{ path: 'deep/new.txt', from: line }])
    if (isProblem(without)) throw new Error(without.message)
    expect(await world().landing.compare(line, without.commit)).toMatchObject({ tree: without.tree, files: [] })
    expect(await lineTip(world())).toBe(landed)
  })
}

function prepares(world: () => GitWorld): void {
  test('a candidate merges the line and the attempt, and moves neither line nor target', async () => {
    const target = await targetTip(world())
    const work = await workOf(world(), 'two-a1', 'two.txt', 'two\n')
    const line = await land(world(), 'one-a1', 'one.txt', 'one\n')
    const candidate = await prepare(world(), 'two-a1', work)
    expect(candidate).toMatchObject({ kind: 'prepared', line, base: line, target })
    expect(await world().parentsOf(candidate.commit)).toEqual([line, work])
    expect(await texts(world(), candidate.commit, 'one.txt', 'two.txt', 'kept.txt')).toEqual([
      'one\n',
      'two\n',
      'kept\n',
    ])
    expect(await lineTip(world())).toBe(line)
    expect(await targetTip(world())).toBe(target)
  })

  test('a squashed candidate has the line as its only parent', async () => {
    const work = await workOf(world(), 'one-a1', 'one.txt', 'one\n')
    const { line } = await open(world())
    const candidate = await prepare(world(), 'one-a1', work, { mode: 'squash' })
    expect(await world().parentsOf(candidate.commit)).toEqual([line])
    expect(await texts(world(), candidate.commit, 'one.txt')).toEqual(['one\n'])
  })

  test('a conflict names its files', async () => {
    const work = await workOf(world(), 'two-a1', 'kept.txt', 'two\n')
    const line = await land(world(), 'one-a1', 'kept.txt', 'one\n')
    const answer = await prepareSubject(world(), 'two-a1', {
      kind: 'attempt',
      attempt: 'two-a1' as AttemptId,
      commit: work,
    })
    expect(answer).toEqual({ kind: 'conflict', line, files: ['kept.txt'], revert: null })
    expect(await lineTip(world())).toBe(line)
  })

  test.each(['merge', 'squash'] as const)('work that is on the line already does not land again (%s)', async (mode) => {
    const work = await workOf(world(), 'one-a1', 'one.txt', 'one\n')
    const line = await landCommit(world(), 'one-a1', work, { mode })
    expect(await prepare(world(), 'one-a1', work, { mode })).toMatchObject({ line, base: line, commit: line })
  })

  test('preparing twice returns an equal candidate, and unpinning twice is harmless', async () => {
    const work = await workOf(world(), 'one-a1', 'one.txt', 'one\n')
    await open(world())
    const first = await prepare(world(), 'one-a1', work)
    await world().restart()
    expect(await prepare(world(), 'one-a1', work)).toMatchObject({ base: first.base, tree: first.tree })
    expect(await world().refAt('refs/longhaul/candidate/one-a1')).not.toBeNull()
    for (const _ of ['first', 'again']) await world().landing.unpin('one-a1' as LandingId)
    expect(await world().refAt('refs/longhaul/candidate/one-a1')).toBeNull()
  })
}

function mergesUserCommits(world: () => GitWorld): void {
  test("the user's new commits become the base when nothing has landed", async () => {
    const work = await workOf(world(), 'one-a1', 'one.txt', 'one\n')
    const { line } = await open(world())
    const target = await world().userCommits('users.txt', 'mine\n')
    const candidate = await prepare(world(), 'one-a1', work)
    expect(candidate).toMatchObject({ line, base: target, target })
    expect(await texts(world(), candidate.commit, 'one.txt', 'users.txt')).toEqual(['one\n', 'mine\n'])
  })

  test("the user's new commits are merged with landed work first", async () => {
    const work = await workOf(world(), 'two-a1', 'two.txt', 'two\n')
    const line = await land(world(), 'one-a1', 'one.txt', 'one\n')
    const target = await world().userCommits('users.txt', 'mine\n')
    const candidate = await prepare(world(), 'two-a1', work)
    expect(candidate).toMatchObject({ line, target })
    expect(await world().parentsOf(candidate.base)).toEqual([line, target])
    expect(await world().parentsOf(candidate.commit)).toEqual([candidate.base, work])
    expect(await texts(world(), candidate.commit, 'one.txt', 'two.txt', 'users.txt')).toEqual([
      'one\n',
      'two\n',
      'mine\n',
    ])
  })

  test("a sync merges the user's new commits with landed work, and nothing else", async () => {
    const line = await land(world(), 'one-a1', 'one.txt', 'one\n')
    const target = await world().userCommits('users.txt', 'mine\n')
    const candidate = await world().landing.prepare(
      'sync' as LandingId,
      { kind: 'sync', commit: line },
      await order(world()),
    )
    expect(candidate).toMatchObject({ kind: 'prepared', line, target })
    const { commit, base } = candidate as Prepared
    expect(commit).toBe(base)
    expect(await world().parentsOf(commit)).toEqual([line, target])
  })

  test('new commits that conflict with landed work wait for a person', async () => {
    const work = await workOf(world(), 'two-a1', 'two.txt', 'two\n')
    await land(world(), 'one-a1', 'kept.txt', 'one\n')
    await world().userCommits('kept.txt', 'mine\n')
    const answer = await prepareSubject(world(), 'two-a1', {
      kind: 'attempt',
      attempt: 'two-a1' as AttemptId,
      commit: work,
    })
    expect(answer).toEqual({ kind: 'held', reason: expect.any(String), hint: expect.any(String) })
  })

  test('history that the user rewrote waits for a person', async () => {
    const work = await workOf(world(), 'two-a1', 'two.txt', 'two\n')
    await world().userCommits('users.txt', 'mine\n')
    await open(world())
    const earlier = await order(world())
    await world().userDropsLatest()
    const subject = { kind: 'attempt' as const, attempt: 'two-a1' as AttemptId, commit: work }
    const answer = await world().landing.prepare('two-a1' as LandingId, subject, earlier)
    expect(answer).toEqual({ kind: 'held', reason: expect.stringContaining('rewritten'), hint: expect.any(String) })
  })
}

function advances(world: () => GitWorld): void {
  test('the line advances once, and repeating the call returns the same result', async () => {
    const work = await workOf(world(), 'one-a1', 'one.txt', 'one\n')
    const { line } = await open(world())
    const { commit } = await prepare(world(), 'one-a1', work)
    for (const _ of ['first', 'again']) {
      expect(await advance(world(), 'one-a1', line, commit)).toEqual({ kind: 'advanced', commit })
      expect(await lineTip(world())).toBe(commit)
      expect(await world().refAt('refs/longhaul/candidate/one-a1')).toBeNull()
      await world().restart()
    }
    const later = await land(world(), 'two-a1', 'two.txt', 'two\n')
    expect(await advance(world(), 'one-a1', line, commit)).toEqual({ kind: 'advanced', commit })
    expect(await lineTip(world())).toBe(later)
  })

  test('a line that has moved in the meantime does not advance', async () => {
    const work = await workOf(world(), 'two-a1', 'two.txt', 'two\n')
    const { line } = await open(world())
    const { commit } = await prepare(world(), 'two-a1', work)
    const other = await land(world(), 'one-a1', 'one.txt', 'one\n')
    expect(await advance(world(), 'two-a1', line, commit)).toEqual({ kind: 'stale', line: other })
    expect(await lineTip(world())).toBe(other)
  })
}

function reverts(world: () => GitWorld): void {
  test.each(['merge', 'squash'] as const)('a revert undoes one landing with a new commit (%s)', async (mode) => {
    const work = await workOf(world(), 'one-a1', 'one.txt', 'one\n')
    const landed = await landCommit(world(), 'one-a1', work, { mode })
    const line = await land(world(), 'two-a1', 'two.txt', 'two\n')
    const candidate = await revert(world(), landed)
    expect(candidate).toMatchObject({ kind: 'prepared', line })
    const { commit } = candidate as Prepared
    expect(await world().parentsOf(commit)).toEqual([line])
    expect(await texts(world(), commit, 'one.txt', 'two.txt', 'kept.txt')).toEqual([null, 'two\n', 'kept\n'])
  })

  test('a revert that conflicts with later work is a conflict', async () => {
    const landed = await land(world(), 'one-a1', 'kept.txt', 'one\n')
    const line = await land(world(), 'two-a1', 'kept.txt', 'two\n')
    const files = ['kept.txt']
    const cause = { files, changedBy: ['two'], options: '-m 1 ' }
    expect(await revert(world(), landed)).toEqual({ kind: 'conflict', line, files, revert: cause })
  })

  test('the line lists its commits from a landing on, with their files', async () => {
    const landed = await land(world(), 'one-a1', 'kept.txt', 'one\n')
    const line = await land(world(), 'two-a1', 'new name.txt', 'two\n')
    const changes = unwrap(await world().landing.changesSince('main', landed))
    expect(changes.filter(({ commit }) => commit === line || commit === landed)).toEqual([
      { commit: line, task: 'two', reverts: null, files: ['new name.txt'] },
      { commit: landed, task: 'one', reverts: null, files: ['kept.txt'] },
    ])
  })
}

function follows(world: () => GitWorld): void {
  test('a clean target follows, and repeating the call returns the same result', async () => {
    const seen = await targetTip(world())
    const commit = await land(world(), 'one-a1', 'one.txt', 'one\n')
    for (const _ of ['first', 'again']) {
      expect(await world().landing.followTarget('main', commit, seen)).toEqual({ kind: 'followed', commit })
      expect(await targetTip(world())).toBe(commit)
      await world().restart()
    }
    expect(await open(world())).toMatchObject({ kind: 'line-open', line: commit, target: commit })
  })

  test('a target with uncommitted changes is held until they are gone', async () => {
    const seen = await targetTip(world())
    const commit = await land(world(), 'one-a1', 'one.txt', 'one\n')
    await world().userLeavesChanges()
    expect(await world().landing.followTarget('main', commit, seen)).toMatchObject({
      kind: 'target-held',
      diverged: false,
    })
    expect(await targetTip(world())).toBe(seen)
    await world().userRevertsChanges()
    expect(await world().landing.followTarget('main', commit, seen)).toEqual({ kind: 'followed', commit })
  })

  test('a target with new commits of the user is held until they are merged', async () => {
    const seen = await targetTip(world())
    const commit = await land(world(), 'one-a1', 'one.txt', 'one\n')
    const own = await world().userCommits('users.txt', 'mine\n')
    expect(await world().landing.followTarget('main', commit, seen)).toMatchObject({
      kind: 'target-held',
      diverged: true,
    })
    expect(await targetTip(world())).toBe(own)
  })

  test('a target that is ahead of the line has followed', async () => {
    const seen = await targetTip(world())
    const commit = await land(world(), 'one-a1', 'one.txt', 'one\n')
    await world().landing.followTarget('main', commit, seen)
    const own = await world().userCommits('users.txt', 'mine\n')
    expect(await world().landing.followTarget('main', commit, commit)).toEqual({ kind: 'followed', commit })
    expect(await targetTip(world())).toBe(own)
  })

  test('a target whose history was rewritten is left alone', async () => {
    const seen = await world().userCommits('users.txt', 'mine\n')
    const commit = await land(world(), 'one-a1', 'one.txt', 'one\n')
    await world().userDropsLatest()
    const dropped = await targetTip(world())
    expect(await world().landing.followTarget('main', commit, seen)).toMatchObject({
      kind: 'target-held',
      reason: expect.stringContaining('rewritten'),
    })
    expect(await targetTip(world())).toBe(dropped)
  })
}

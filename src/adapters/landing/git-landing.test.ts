import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { begin, commitOn, ONE, save, useGitWorld, usersState } from '../../../test/conformance/git-tests.ts'
import { lineTip, targetTip } from '../../../test/conformance/git-world.ts'
import type { CandidateOrder, LandingSubject } from '../../core/model/effect.ts'
import type { AttemptId, Commit, LandingId, TaskId } from '../../core/model/ids.ts'
import { unwrap } from '../../core/model/problem.ts'

const world = useGitWorld((repo) => {
  repo.write('song.txt', Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join(''))
  repo.commit('song')
  repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n')
  repo.write('.git/hooks/commit-msg', '#!/bin/sh\nexit 1\n')
  for (const hook of ['pre-commit', 'commit-msg']) chmodSync(join(repo.checkout, '.git/hooks', hook), 0o755)
  repo.git(['config', 'commit.gpgSign', 'true'])
  repo.git(['config', 'user.signingKey', 'missing-key'])
})

test("landing runs no hook, signs nothing, commits as the user, and leaves the user's checkout alone", async () => {
  world().repo.write('kept.txt', 'being changed\n')
  const before = usersState(world().repo)
  const base = await begin(world())
  await world().agentWrites(ONE, 'new.txt', 'new\n')
  const { commit: work } = await save(world(), base)
  await world().landing.openLine('main')
  const candidate = await prepare({ kind: 'attempt', attempt: ONE, commit: work })
  expect(usersState(world().repo)).toEqual(before)
  const about = (commit: Commit, format: string) => world().repo.git(['log', '-1', `--format=${format}`, commit])
  for (const commit of [work, (candidate as { commit: Commit }).commit]) {
    expect(about(commit, '%an %ae %cn %G?')).toBe('Ürsula User user@example.org Ürsula User N')
    expect(about(commit, '%(trailers:only)')).toBe('Task-Id: one\nAttempt: one-a1')
  }
})

describe('a revert', () => {
  test('leaves later changes in the same file alone', async () => {
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    await land('two-a1', (text) => text.replace('line 15', 'changed 15'))
    const candidate = await prepare({ kind: 'revert', task: 'one' as TaskId, commit: landed })
    const text = world().repo.git(['show', `${(candidate as { commit: Commit }).commit}:song.txt`])
    expect(text).toContain('line 3\n')
    expect(text).toContain('changed 15\n')
  })

  test('of lines that were changed again is a conflict', async () => {
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    const line = await land('two-a1', (text) => text.replace('changed 3', 'changed again'))
    const candidate = await prepare({ kind: 'revert', task: 'one' as TaskId, commit: landed })
    const revert = { files: ['song.txt'], changedBy: ['two'], options: '-m 1 ' }
    expect(candidate).toEqual({ kind: 'conflict', line, files: ['song.txt'], revert })
  })

  test('names only tasks that still stand in the way', async () => {
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    const two = await land('two-a1', (text) => text.replace('changed 3', 'changed again'))
    const undone = await prepare({ kind: 'revert', task: 'two' as TaskId, commit: two })
    if (undone.kind !== 'prepared') throw new Error(JSON.stringify(undone))
    await world().landing.advance('landing' as LandingId, 'main', undone.line, undone.commit)
    await land('three-a1', (text) => text.replace('changed 3', 'changed 3 by three'), { 'other file.txt': 'x' })
    const candidate = await prepare({ kind: 'revert', task: 'one' as TaskId, commit: landed })
    expect(candidate).toMatchObject({ kind: 'conflict', revert: { changedBy: ['three'] } })
    const changes = unwrap(await world().landing.changesSince('main', landed))
    expect(changes.filter(({ task }) => task !== null)).toMatchObject([
      { task: 'three', reverts: null, files: ['other file.txt', 'song.txt'] },
      { task: 'two', reverts: two, files: ['song.txt'] },
      { commit: two, task: 'two', reverts: null, files: ['song.txt'] },
      { commit: landed, task: 'one', files: ['song.txt'] },
    ])
  })

  test('of a reverted landing changes nothing', async () => {
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    const subject = { kind: 'revert' as const, task: 'one' as TaskId, commit: landed }
    const candidate = await prepare(subject)
    if (candidate.kind !== 'prepared') throw new Error(JSON.stringify(candidate))
    await world().landing.advance('landing' as LandingId, 'main', candidate.line, candidate.commit)
    expect(await prepare(subject)).toMatchObject({ kind: 'prepared', line: candidate.commit, commit: candidate.commit })
  })

  test('of work that has not landed is refused', async () => {
    await world().landing.openLine('main')
    const stranger = world().repo.git(['commit-tree', '-m', 'x', 'HEAD^{tree}']) as Commit
    expect(await prepare({ kind: 'revert', task: 'x' as TaskId, commit: stranger })).toMatchObject({
      code: 'not-landed',
    })
  })
})

describe('a target that was rewritten between two runs', () => {
  test('after landings is held for a person, who can continue from it', async () => {
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    await world().landing.followTarget('main', landed, await targetTip(world()))
    await world().userDropsLatest()
    const answer = await world().landing.openLine('main')
    expect(answer).toMatchObject({ kind: 'held', reason: expect.stringContaining('rewritten') })
    const command = /git (update-ref \S+ \S+);/.exec((answer as { hint: string }).hint)?.[1] ?? ''
    world().repo.git(command.split(' '))
    const tip = await targetTip(world())
    expect(await world().landing.openLine('main')).toMatchObject({ kind: 'line-open', line: tip, target: tip })
  })

  test.each(['update-ref', 'merge'])('at its first commit can be continued with the printed git %s', async (way) => {
    const { repo } = world()
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    await world().landing.followTarget('main', landed, await targetTip(world()))
    repo.git(['checkout', '--quiet', '--orphan', 'fresh'])
    repo.write('kept.txt', 'amended\n')
    repo.commit('amended')
    repo.git(['branch', '--quiet', '--move', '--force', 'fresh', 'main'])
    const answer = await world().landing.openLine('main')
    if (answer.kind !== 'held') throw new Error(JSON.stringify(answer))
    for (const [key, value] of [
      ['core.hooksPath', '/dev/null'],
      ['commit.gpgSign', 'false'],
    ] as const)
      repo.git(['config', key, value])
    repo.shell(commandIn(answer.hint, way))
    const tip = await targetTip(world())
    expect(await world().landing.openLine('main')).toMatchObject({ kind: 'line-open', line: tip, target: tip })
    expect(repo.read('kept.txt')).toBe('amended\n')
  })

  test('before any landing is accepted', async () => {
    await world().landing.openLine('main')
    world().repo.git([
      '-c',
      'core.hooksPath=/dev/null',
      'commit',
      '--quiet',
      '--no-gpg-sign',
      '--amend',
      '-m',
      'amended',
    ])
    const tip = await targetTip(world())
    expect(await world().landing.openLine('main')).toMatchObject({ kind: 'line-open', line: tip, target: tip })
  })

  test('to landings that it never had is not a rewrite', async () => {
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    const tip = await targetTip(world())
    expect(await world().landing.openLine('main')).toMatchObject({ kind: 'line-open', line: landed, target: tip })
  })
})

test('commits that a person dropped during a run do not come back with other work', async () => {
  const start = await targetTip(world())
  const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
  const onTop = await workOf('two-a1', (text) => text.replace('line 15', 'changed 15'))
  const beside = await workOf('three-a1', (text) => text.replace('line 9', 'changed 9'), {}, start)
  await world().landing.followTarget('main', landed, start)
  const candidateOrder = { ...(await order()), line: landed, lastTarget: landed }
  await world().userDropsLatest()
  const prepareFor = (attempt: string, commit: Commit) => {
    return world().landing.prepare(
      'x' as LandingId,
      { kind: 'attempt', attempt: attempt as AttemptId, commit },
      candidateOrder,
    )
  }
  const held = await prepareFor('three-a1', beside)
  expect(held).toMatchObject({ kind: 'held', reason: expect.stringContaining('rewritten') })
  const command = /git (update-ref \S+ \S+);/.exec((held as { hint: string }).hint)?.[1] ?? ''
  world().repo.git(command.split(' '))
  expect(await prepareFor('three-a1', beside)).toMatchObject({ kind: 'prepared', line: start, base: start })
  expect(await prepareFor('two-a1', onTop)).toMatchObject({
    kind: 'problem',
    code: 'builds-on-dropped',
    retry: 'never',
  })
})

describe('a line', () => {
  test('that a person deleted is restored from the ledger', async () => {
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    const candidateOrder = await order()
    world().repo.git(['update-ref', '-d', 'refs/longhaul/landed/main'])
    const work = await workOf('two-a1', (text) => text.replace('line 15', 'changed 15'))
    const subject = { kind: 'attempt' as const, attempt: 'two-a1' as AttemptId, commit: work }
    const candidate = await world().landing.prepare('x' as LandingId, subject, candidateOrder)
    expect(candidate).toMatchObject({ kind: 'prepared', line: landed })
    world().repo.git(['update-ref', '-d', 'refs/longhaul/landed/main'])
    const { commit } = candidate as { commit: Commit }
    expect(await world().landing.advance('x' as LandingId, 'main', landed, commit)).toEqual({
      kind: 'advanced',
      commit,
    })
  })

  test('that a person moved elsewhere is held', async () => {
    const landed = await land(ONE, (text) => text.replace('line 3', 'changed 3'))
    const candidateOrder = await order()
    world().repo.git(['update-ref', 'refs/longhaul/landed/main', 'main~1'])
    const subject = { kind: 'attempt' as const, attempt: ONE, commit: landed }
    expect(await world().landing.prepare('x' as LandingId, subject, candidateOrder)).toMatchObject({
      kind: 'held',
      hint: `To move it back: git update-ref refs/longhaul/landed/main ${landed}`,
    })
  })

  test('of a missing target cannot be opened', async () => {
    expect(await world().landing.openLine('nowhere')).toMatchObject({ code: 'target-missing', retry: 'person' })
  })

  test('removes candidates that never landed when it is opened again', async () => {
    world().repo.git(['update-ref', 'refs/longhaul/candidate/x', 'HEAD'])
    await world().landing.openLine('main')
    expect(await world().refAt('refs/longhaul/candidate/x')).toBeNull()
  })
})

test('attempt numbers are found in all kinds of refs', async () => {
  const { repo } = world()
  for (const ref of [
    'heads/longhaul/a-a2',
    'heads/longhaul/a-a10',
    'longhaul/salvage/b-a3',
    'longhaul/salvage/c-a4++x-a9',
  ]) {
    repo.git(['update-ref', `refs/${ref}`, 'HEAD'])
  }
  repo.git(['update-ref', 'refs/heads/longhaul/my-branch', 'HEAD'])
  expect(await world().landing.attemptNumbers()).toEqual(
    new Map([
      ['a', 10],
      ['b', 3],
      ['c', 4],
    ]),
  )
})

test('merge attributes are respected', async () => {
  world().repo.write('.gitattributes', 'news.txt merge=union\n')
  world().repo.write('news.txt', 'top\n')
  world().repo.commit('news')
  const work = await workOf('two-a1', (text) => text, { 'news.txt': 'top\ntwo\n' })
  await land(ONE, (text) => text, { 'news.txt': 'top\none\n' })
  const candidate = await prepare({ kind: 'attempt', attempt: 'two-a1' as AttemptId, commit: work })
  expect(await world().fileAt((candidate as { commit: Commit }).commit, 'news.txt')).toBe('top\none\ntwo\n')
})

/** Returns the printed git command that starts with this word. */
function commandIn(hint: string, word: string): string {
  return new RegExp(`git ${word}[^;.]*`).exec(hint)?.[0] ?? ''
}

/** An attempt's commit on the line, or from elsewhere. */
async function workOf(
  attempt: string,
  edit: (text: string) => string,
  files: Readonly<Record<string, string>> = {},
  from?: Commit,
): Promise<Commit> {
  const base = from ?? (await world().refAt('refs/longhaul/landed/main')) ?? (await targetTip(world()))
  const song = edit((await world().fileAt(base, 'song.txt')) ?? '')
  return commitOn(world().repo, base, { 'song.txt': song, ...files }, `work\n\nAttempt: ${attempt}\n`)
}

async function land(
  attempt: string,
  edit: (text: string) => string,
  files: Readonly<Record<string, string>> = {},
): Promise<Commit> {
  await world().landing.openLine('main')
  const commit = await workOf(attempt, edit, files)
  const candidate = await prepare({ kind: 'attempt', attempt: attempt as AttemptId, commit })
  if (candidate.kind !== 'prepared') throw new Error(JSON.stringify(candidate))
  await world().landing.advance('landing' as LandingId, 'main', candidate.line, candidate.commit)
  return candidate.commit
}

async function prepare(subject: LandingSubject) {
  return world().landing.prepare('landing' as LandingId, subject, await order(messageFor(subject)))
}

function messageFor(subject: LandingSubject): string {
  if (subject.kind === 'sync') return 'Merge\n'
  if (subject.kind === 'revert') return `Revert\n\nTask-Id: ${subject.task}\nReverts: ${subject.commit}\n`
  const task = subject.attempt.replace(/-a\d+$/, '')
  return `${task}: Title\n\nTask-Id: ${task}\nAttempt: ${subject.attempt}\n`
}

async function order(
  message = messageFor({ kind: 'attempt', attempt: ONE, commit: '' as Commit }),
): Promise<CandidateOrder> {
  return { target: 'main', line: await lineTip(world()), lastTarget: await targetTip(world()), mode: 'merge', message }
}

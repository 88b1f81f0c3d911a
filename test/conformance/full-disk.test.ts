import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { gitLanding } from '../../src/adapters/landing/git-landing.ts'
import { sharedClones } from '../../src/adapters/workspaces/shared-clones.ts'
import type { AttemptId, Commit, LandingId } from '../../src/core/model/ids.ts'
import { attemptSpec } from './attempt-specs.ts'
import { unlimited, useContainment } from './containments.ts'
import { makeRepository } from './git-repositories.ts'

const SIZE = 4_000_000
const ONE = 'one-a1' as AttemptId
const NEVER = new AbortController().signal

const disk = mkdtempSync(join(tmpdir(), 'longhaul disk '))
const isMounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', disk]).status === 0
afterAll(() => {
  if (isMounted) execFileSync('/bin/umount', [disk])
  rmSync(disk, { recursive: true })
})

const containment = await useContainment()

test.skipIf(!isMounted)('a full disk under workspaces is a problem, and free space fixes it', async () => {
  const repo = makeRepository()
  writeFileSync(join(repo.checkout, 'big'), randomBytes(SIZE + 1_000_000))
  const base = repo.commit('big')
  const repository = await repo.open()
  const workspaces = sharedClones({
    repository,
    home: join(disk, 'home'),
    environment: repo.env,
    sandbox: unlimited(containment),
  })
  const full = await workspaces.ensure(attemptSpec(ONE, base), base, NEVER)
  expect(full).toMatchObject({ kind: 'problem', code: 'disk-full', retry: 'later' })
  repo.write('big', null)
  const smaller = repo.commit('small')
  expect(await workspaces.ensure(attemptSpec(ONE, smaller), smaller, NEVER)).toBe(smaller)
  expect(await workspaces.discard(ONE)).toBeNull()
  repo.remove()
})

test.skipIf(!isMounted)(
  'a full disk under the repository leaves no partial landing, and free space fixes it',
  async () => {
    const repo = makeRepository()
    const full = join(disk, 'repository')
    repo.git(['clone', '--quiet', repo.checkout, full])
    repo.git(['config', 'user.name', 'x'], full)
    repo.git(['config', 'user.email', 'x@example.org'], full)
    const repository = await repo.open(full)
    const workspaces = sharedClones({
      repository,
      home: repo.home,
      environment: repo.env,
      sandbox: unlimited(containment),
    })
    const landing = gitLanding({ repository })
    const base = repo.git(['rev-parse', 'HEAD']) as Commit
    const spec = attemptSpec(ONE, base)
    await landing.openLine('main')
    await workspaces.ensure(spec, base, NEVER)
    repo.write('new.txt', 'new\n', workspaces.folder(ONE))
    fill(join(full, 'filling'))
    expect(await workspaces.checkpoint(spec, base, 'work')).toMatchObject({ code: 'disk-full' })
    expect(await workspaces.release(spec, base, 'keep')).toMatchObject({ code: 'disk-full' })
    rmSync(join(full, 'filling'))
    const checkpoint = await workspaces.checkpoint(spec, base, 'work')
    expect(checkpoint).toMatchObject({ kind: 'checkpoint', changed: 1 })
    const { commit } = checkpoint as { commit: Commit }
    fill(join(full, 'filling'))
    expect(await landing.advance('landing' as LandingId, 'main', base, commit)).toMatchObject({ code: 'disk-full' })
    rmSync(join(full, 'filling'))
    expect(await landing.advance('landing' as LandingId, 'main', base, commit)).toEqual({ kind: 'advanced', commit })
    repo.remove()
  },
)

function fill(path: string): void {
  try {
    for (;;) writeFileSync(path, Buffer.alloc(1 << 20), { flag: 'a' })
  } catch {
    // The disk is full now.
  }
}

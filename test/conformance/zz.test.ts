import { mkdirSync, rmSync, writeFileSync, renameSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attemptSpec } from './attempt-specs.ts'
import { useContainment } from './containments.ts'
import { makeRepository } from './git-repositories.ts'
import { gitLanding } from '../../src/landing/git-landing.ts'
import { sharedClones } from '../../src/workspaces/shared-clones.ts'
const containment = await useContainment()
const any = (x: unknown) => x as any
const signal = new AbortController().signal
test('full disk: home', async () => {
  const repo = makeRepository()
  writeFileSync(join(repo.checkout, 'big'), randomBytes(4_000_000))
  const base = repo.commit()
  const repository = await repo.open()
  const home = '/tmp/gx/small/h'
  const w = sharedClones({ repository, home, environment: repo.env, containment })
  console.log(await w.ensure(attemptSpec('one-a1', base), base, signal))
  console.log(await w.list())
  repo.write('big', null)
  const b2 = repo.commit()
  console.log(await w.ensure(attemptSpec('one-a1', b2), b2, signal))
  console.log(await w.discard('one-a1'))
  repo.remove()
})
test('full disk: repo', async () => {
  const repo = makeRepository()
  mkdirSync('/tmp/gx/small/r')
  repo.git(['clone', '-q', repo.checkout, '/tmp/gx/small/r'])
  repo.git(['config', 'user.name', 'x'], '/tmp/gx/small/r')
  repo.git(['config', 'user.email', 'x'], '/tmp/gx/small/r')
  const repository = await repo.open('/tmp/gx/small/r')
  const base = any(repo.git(['rev-parse', 'HEAD']))
  const w = sharedClones({ repository, home: repo.home, environment: repo.env, containment })
  console.log(await w.ensure(attemptSpec('one-a1', base), base, signal))
  writeFileSync(join(w.folder(any('one-a1')), 'big'), randomBytes(4_000_000))
  console.log(await w.checkpoint(attemptSpec('one-a1', base), base, 'x'))
  console.log(await w.release(attemptSpec('one-a1', base), base, 'keep'))
  writeFileSync(join(w.folder(any('one-a1')), 'big'), randomBytes(400_000))
  const c = any(await w.checkpoint(attemptSpec('one-a1', base), base, 'x'))
  console.log(c)
  const l = gitLanding({ repository })
  console.log(await l.openLine('master'), await l.openLine('main'))
  try { writeFileSync('/tmp/gx/small/fill', randomBytes(4_000_000)) } catch (e) { console.log(String(e)) }
  console.log(await l.prepare(any('x'), { kind: 'attempt', attempt: any('one-a1'), commit: c.commit }, { target: 'main', line: base, lastTarget: base, mode: 'merge', message: 'x' }))
  console.log(await l.advance('main', base, c.commit))
  repo.remove()
})
test('sha256', async () => {
  const repo = makeRepository()
  const r = join(repo.root, 'r256')
  repo.git(['init', '-q', '--object-format=sha256', '-b', 'main', r])
  repo.git(['config', 'user.name', 'x'], r)
  repo.git(['config', 'user.email', 'x'], r)
  writeFileSync(join(r, 'f'), 'x')
  repo.git(['add', '.'], r); repo.git(['commit', '-qm', 'x'], r)
  const repository = await repo.open(r)
  const base = any(repo.git(['rev-parse', 'HEAD'], r))
  const w = sharedClones({ repository, home: repo.home, environment: repo.env, containment })
  console.log(await w.ensure(attemptSpec('one-a1', base), base, signal))
  writeFileSync(join(w.folder(any('one-a1')), 'big'), 'x')
  repo.git(['add', '.'], w.folder(any('one-a1')));   repo.git(['commit', '-qm', 'own'], w.folder(any('one-a1')))
  console.log(await w.checkpoint(attemptSpec('one-a1', base), base, 'x'))
  repo.remove()
})

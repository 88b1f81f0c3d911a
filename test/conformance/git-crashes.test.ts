import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AttemptId, Commit, LandingId } from '../../src/core/model/ids.ts'
import { TEST_PATH } from '../environment.ts'
import { attemptSpec } from './attempt-specs.ts'
import { useContainment } from './containments.ts'
import { lineTip, targetTip } from './git-world.ts'
import { type RealGitWorld, realGitWorld } from './real-git-world.ts'

// An engine can die at every git command in a task's life. Each run tries a sample; LONGHAUL_CRASHES=all tries all.
const CALLS_MAX = 44
const SAMPLES = 4
const isAll = process.env.LONGHAUL_CRASHES === 'all'
const seed = isAll ? 0 : Date.now() % CALLS_MAX
const calls = Array.from({ length: CALLS_MAX }, (_, at) => at + 1)
const step = Math.floor(CALLS_MAX / SAMPLES)
const sample = isAll ? calls : calls.filter((at) => at % step === seed % step)

const containment = await useContainment()

test.each(sample.flatMap((at) => [['before', at] as const, ['after', at] as const]))(
  `an engine that dies %s git command number %i loses nothing (seed ${seed})`,
  async (when, at) => {
    const world = await realGitWorld(containment, { path: (repo) => dyingGit(repo.root) })
    writeFileSync(join(world.repo.root, 'dies'), `${when} ${at}`)
    try {
      const landed = await landOneTask(world)
      writeFileSync(join(world.repo.root, 'dies'), '')
      await world.restart()
      expect(await targetTip(world)).toBe(landed)
      expect(await lineTip(world)).toBe(landed)
      const subjects = world.repo.git(['log', '--first-parent', '--format=%s', 'main']).split('\n')
      expect(subjects).toEqual(['landed', 'first'])
      expect(world.repo.read('new.txt')).toBe('new\n')
      expect(world.repo.git(['status', '--porcelain'])).toBe('')
      const refs = world.repo.git(['for-each-ref', '--format=%(refname)']).split('\n')
      expect(refs).toEqual(['refs/heads/main', 'refs/longhaul/landed/main', 'refs/longhaul/seen/main'])
      expect(await world.workspaces.list()).toEqual([])
    } finally {
      await world.leave()
    }
  },
)

async function landOneTask(world: RealGitWorld): Promise<Commit> {
  const attempt = 'one-a1' as AttemptId
  const signal = new AbortController().signal
  const { line, target } = await retryAfterCrash(world, () => world.landing.openLine('main'), 'line-open')
  const spec = attemptSpec(attempt, line)
  await retryAfterCrash(world, () => ensure(world, line), 'ensured')
  await world.agentWrites(attempt, 'new.txt', 'new\n')
  const { commit } = await retryAfterCrash(world, () => world.workspaces.checkpoint(spec, line, 'work'), 'checkpoint')
  const subject = { kind: 'attempt' as const, attempt, commit }
  const order = { target: 'main', line, lastTarget: target, mode: 'merge' as const, message: 'landed\n' }
  const landing = 'one-a1' as LandingId
  const candidate = await retryAfterCrash(world, () => world.landing.prepare(landing, subject, order), 'prepared')
  const setting = { setup: ['test -f new.txt'], setupMs: 60_000 }
  const checkOut = () => world.workspaces.checkOut('one-a1', candidate.commit, setting, signal)
  await (await retryAfterCrash(world, checkOut, 'checkout')).discard()
  await retryAfterCrash(world, () => world.landing.advance(landing, 'main', line, candidate.commit), 'advanced')
  await world.landing.unpin(landing)
  await retryAfterCrash(world, () => world.landing.followTarget('main', candidate.commit, target), 'followed')
  await retryAfterCrash(world, () => world.workspaces.release(spec, commit, 'landed'), 'released')
  return candidate.commit
}

/** Repeats a call with a new engine after a failure, as a run does. */
async function retryAfterCrash<T extends { readonly kind: string }, K extends T['kind']>(
  world: RealGitWorld,
  call: () => Promise<T>,
  kind: K,
): Promise<Extract<T, { kind: K }>> {
  for (const _ of ['first', 'second']) {
    const answer = await call()
    if (answer.kind === kind) return answer as Extract<T, { kind: K }>
    if (!isDead(world)) throw new Error(JSON.stringify(answer))
    await world.restart()
  }
  throw new Error(`No ${kind} after a crash.`)
}

async function ensure(world: RealGitWorld, line: Commit) {
  const commit = await world.workspaces.ensure(attemptSpec('one-a1', line), line, new AbortController().signal)
  return typeof commit === 'string' ? { kind: 'ensured' as const } : commit
}

function isDead({ repo }: RealGitWorld): boolean {
  return readFileSync(join(repo.root, 'dies'), 'utf8').trim() === ''
}

/** Writes a git that kills itself once, before or after its work; returns a PATH that finds it. */
function dyingGit(root: string): string {
  const folder = join(root, 'programs')
  mkdirSync(folder)
  writeFileSync(join(root, 'dies'), '')
  writeFileSync(join(root, 'calls'), '')
  const script = `#!/bin/bash
PATH='${TEST_PATH}'
read -r when at < '${root}/dies'
[ -z "$when" ] && exec git "$@"
# Commands run at the same time, and each appends.
printf . >> '${root}/calls'
[ "$(wc -c < '${root}/calls')" -eq "$at" ] || exec git "$@"
echo > '${root}/dies'
[ "$when" = after ] && git "$@"
kill -9 $$
`
  writeFileSync(join(folder, 'git'), script)
  chmodSync(join(folder, 'git'), 0o755)
  return `${folder}:${TEST_PATH}`
}

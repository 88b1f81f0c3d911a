import { writeFileSync, readFileSync, mkdirSync, chmodSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { attemptSpec } from './attempt-specs.ts'
import { useContainment } from './containments.ts'
import { realGitWorld } from './real-git-world.ts'
const containment = await useContainment()
test('count', async () => {
  let root = ''
  const world = await realGitWorld(containment, (repo) => {
    root = repo.root
    mkdirSync(join(root, 'programs'))
    writeFileSync(join(root, 'log'), '')
    writeFileSync(join(root, 'programs/git'), `#!/bin/bash\nPATH=/usr/local/bin:/usr/bin:/bin\na=("$@"); while [ "\${1#-}" != "$1" ]; do if [ "$1" = -c ]; then shift; fi; shift; done; echo "$*" | head -1 >> '${root}/log'\nexec git "\${a[@]}"\n`)
    chmodSync(join(root, 'programs/git'), 0o755)
    return `${join(root, 'programs')}:/usr/local/bin:/usr/bin:/bin`
  })
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    writeFileSync(join(root, 'log'), '')
    const t = performance.now()
    const r = await run()
    const ms = performance.now() - t
    const calls = readFileSync(join(root, 'log'), 'utf8').trim().split('\n')
    console.log(`${name}: ${calls.length} calls, ${ms.toFixed(0)} ms\n   ${calls.map((c) => c.slice(0, 90)).join('\n   ')}`)
    return r
  }
  const signal = new AbortController().signal
  const any = (x: unknown) => x as any
  const { line, target } = any(await step('openLine', () => world.landing.openLine('main')))
  const spec = attemptSpec('one-a1', line, { protect: ['test/**'] })
  await step('ensure', () => world.workspaces.ensure(spec, line, signal))
  await step('empty', () => world.workspaces.empty(any('one-a1')))
  await world.agentWrites('one-a1', 'new.txt', 'new\n')
  const { commit } = any(await step('checkpoint', () => world.workspaces.checkpoint(spec, line, 'work')))
  const order = { target: 'main', line, lastTarget: target, mode: 'merge' as const, message: 'landed\n' }
  const made = any(await step('prepare', () => world.landing.prepare(any('l'), { kind: 'attempt', attempt: any('one-a1'), commit }, order)))
  const co = any(await step('checkOut', () => world.workspaces.checkOut('l', made.commit, { setup: [], setupMs: 1000 }, signal)))
  await step('discard', () => co.discard())
  await step('advance', () => world.landing.advance('main', line, made.commit))
  await step('unpin', () => world.landing.unpin(any('l')))
  await step('follow', () => world.landing.followTarget('main', made.commit, target))
  await step('release', () => world.workspaces.release(spec, commit, 'landed'))
  await world.leave()
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { probeContainment } from './containment.ts'
import { type Guard, startGuard } from './guard.ts'
import { readProcess } from './process-table.ts'
import { KINDS, TEST_ENV, untilInside, useCompiled, useFolder } from './test-kit.ts'
import { pidsInside } from './working-folders.ts'

const base = useFolder()
const compiled = useCompiled()

function newPlace(): { readonly folder: string; readonly pidFolder: string } {
  const home = mkdtempSync(join(base(), 'plãce '))
  const place = { folder: join(home, 'work'), pidFolder: join(home, 'pids') }
  for (const folder of Object.values(place)) mkdirSync(folder)
  return place
}

function startedGuard(): Guard {
  const guard = startGuard({ file: join(compiled(), 'guard-main.js') })
  if ('kind' in guard) throw new Error(guard.message)
  return guard
}

const sleeperIn = (cwd: string): ChildProcess => spawn('sleep', ['300'], { cwd, stdio: 'ignore', detached: true })

const ENGINE = `
const [compiled, use, folder, pidFolder] = process.argv.slice(2)
const { probeContainment } = await import(compiled + '/containment.js')
const { launch } = await import(compiled + '/launch.js')
const env = { PATH: '/usr/bin:/bin' }
const containment = await probeContainment({ env, use })
const pidFile = pidFolder + '/agent.pid'
const args = ['-c', 'setsid sleep 300 & (cd /; exec setsid sleep 301) & echo ready; trap "" TERM; while :; do sleep 0.05; done']
const agent = launch({ file: 'sh', args, cwd: folder, env, pidFile, containment, folder, stdin: 'closed' })
for await (const line of agent.lines) console.log(line.text)
`

test.each(KINDS)('kill -9 of the engine ends its agents and their tools, under %s', async (use) => {
  const { folder, pidFolder } = newPlace()
  const script = join(base(), `engine-${use}.mjs`)
  writeFileSync(script, ENGINE)
  const engine = spawn(process.execPath, [script, compiled(), use, folder, pidFolder], { env: TEST_ENV, cwd: '/' })
  await once(engine.stdout, 'data')
  expect(pidsInside(folder).length).toBeGreaterThan(1)
  const agent = Number(readFileSync(join(pidFolder, 'agent.pid'), 'utf8').split('\n')[1]?.split(' ')[0])
  engine.kill('SIGKILL')
  await untilInside(folder, 0)
  await expect.poll(() => readProcess(agent)).toBeNull()
})

test('a guard ends what it watches, leaves the rest alone, and then ends itself', async () => {
  const [watched, left] = [newPlace(), newPlace()]
  const guard = startedGuard()
  for (const place of [watched, left, left]) guard.watch(place)
  for (const place of [left, left, left]) guard.unwatch(place)
  sleeperIn(watched.folder)
  const other = sleeperIn(left.folder)
  await guard.end()
  expect([pidsInside(watched.folder), pidsInside(left.folder)]).toEqual([[], [other.pid]])
  expect(readProcess(guard.pid)).toBeNull()
  other.kill('SIGKILL')
})

test('a place that was watched twice is watched until it was left twice', async () => {
  const place = newPlace()
  const guard = startedGuard()
  for (const step of [guard.watch, guard.watch, guard.unwatch]) step(place)
  sleeperIn(place.folder)
  await guard.end()
  expect(pidsInside(place.folder)).toEqual([])
})

test('Ctrl-C, a closed terminal and a polite request do not end a guard', async () => {
  const place = newPlace()
  const guard = startedGuard()
  guard.watch(place)
  await expect.poll(() => catchesHangUp(guard.pid), { timeout: 5_000 }).toBe(true)
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.kill(guard.pid, signal)
  sleeperIn(place.folder)
  await guard.end()
  expect(pidsInside(place.folder)).toEqual([])
})

function catchesHangUp(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return (BigInt(`0x${caught}`) & 1n) === 1n
}

test('a guard that was killed is replaced, and the next one knows what to watch', async () => {
  const [first, second] = [newPlace(), newPlace()]
  const guard = startedGuard()
  guard.watch(first)
  const killed = guard.pid
  process.kill(killed, 'SIGKILL')
  await expect
    .poll(() => {
      guard.watch(second)
      return guard.pid
    })
    .not.toBe(killed)
  sleeperIn(first.folder)
  await guard.end()
  expect(pidsInside(first.folder)).toEqual([])
})

test('a guard that is not built, and a bwrap that is not there, are told', async () => {
  const none = await probeContainment({ env: TEST_ENV, use: 'guard', guardFile: join(base(), 'none.js') })
  expect(none).toEqual({ kind: 'not-started', message: expect.stringContaining('none.js') })
  const nowhere = await probeContainment({ env: { PATH: base() }, use: 'bwrap' })
  expect(nowhere).toEqual({ kind: 'not-started', message: expect.stringContaining('bwrap') })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bundleSources } from '../../../test/bundle-sources.ts'
import { TEST_PATH } from '../../../test/environment.ts'
import { SOON } from '../../../test/patience.ts'
import { probeContainment } from '../start/probe-containment.ts'
import { type Guard, startGuard } from './guard.ts'
import { readPidFiles } from './pid-files.ts'
import { isAlive, readProcess } from './process-table.ts'
import { pidsInside } from './working-folders.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul tëst ')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const newFolder = (): string => mkdtempSync(join(base, 'földer '))
const compiled = join(base, 'compiled')
const ENV = { PATH: TEST_PATH }

async function untilInside(folder: string, count: number): Promise<void> {
  await vi.waitFor(() => expect(pidsInside(folder)).toHaveLength(count), SOON)
}

// The guard and the engine of these tests are separate programs, bundled from the sources as they are now.
beforeAll(() =>
  bundleSources(compiled, 'process/end/guard-main', 'process/start/launch', 'process/start/probe-containment'),
)

function newPlace(): { readonly folder: string; readonly pidFolder: string } {
  const home = newFolder()
  const place = { folder: join(home, 'work'), pidFolder: join(home, 'pids') }
  for (const folder of Object.values(place)) mkdirSync(folder)
  return place
}

function startedGuard(): Guard {
  const guard = startGuard(join(compiled, 'dist/process/end/guard-main.js'))
  if (guard === null) throw new Error('The guard was not started.')
  return guard
}

const sleeperIn = (cwd: string): ChildProcess => spawn('sleep', ['300'], { cwd, stdio: 'ignore', detached: true })

const ENGINE = `
const [compiled, use, folder, pidFolder, elsewhere] = process.argv.slice(2)
const { probeContainment } = await import(compiled + '/dist/process/start/probe-containment.js')
const { launch } = await import(compiled + '/dist/process/start/launch.js')
const env = { PATH: '/usr/bin:/bin' }
const containment = await probeContainment({ env, use })
const pidFile = pidFolder + '/agent.pid'
const tools = 'setsid sleep 300 & (cd "$0"; exec setsid sleep 300) & '
const args = ['-c', tools + 'trap "" TERM; echo ready; while :; do sleep 0.05; done', elsewhere]
const agent = launch({ file: 'sh', args, cwd: folder, env, pidFile, containment, folder, stdin: 'closed' })
for await (const line of agent.lines) console.log(line.text)
`

const bwrap = await probeContainment({ env: ENV, use: 'bwrap' })
const KINDS = bwrap.kind === 'bwrap' ? (['bwrap', 'guard'] as const) : (['guard'] as const)

test.each(KINDS)('kill -9 of the engine ends its agents and their tools, under %s', async (use) => {
  const { folder, pidFolder } = newPlace()
  const elsewhere = newFolder()
  const script = join(base, `engine-${use}.mjs`)
  writeFileSync(script, ENGINE)
  const args = [script, compiled, use, folder, pidFolder, elsewhere]
  const engine = spawn(process.execPath, args, { env: ENV, cwd: '/' })
  await once(engine.stdout, 'data')
  await untilInside(elsewhere, 1)
  engine.kill('SIGKILL')
  await untilInside(elsewhere, 0)
  await untilInside(folder, 0)
  expect([...pidsInside(elsewhere), ...pidsInside(folder)]).toEqual([])
})

const DYING_ENGINE = `
const [compiled, use, folder, pidFolder, mark] = process.argv.slice(2)
const { probeContainment } = await import(compiled + '/dist/process/start/probe-containment.js')
const { launch } = await import(compiled + '/dist/process/start/launch.js')
const env = { PATH: process.env.PATH }
const containment = await probeContainment({ env, use })
const args = ['-c', 'sleep 0.5; echo there > "$0"', mark]
launch({ file: 'sh', args, cwd: folder, env, pidFile: pidFolder + '/a.pid', containment, folder, stdin: 'closed' })
process.kill(process.pid, 'SIGKILL')
`
// Long enough for the engine to die before bwrap is tied to it.
const SLOW_BWRAP = `#!/bin/sh\nsleep 0.1\nexec ${bwrap.kind === 'bwrap' ? bwrap.file : ''} "$@"\n`

test.each(KINDS)('an engine that dies right after it launched an agent starts none, under %s', async (use) => {
  const { folder, pidFolder } = newPlace()
  const [script, mark, slow] = ['dying.mjs', 'mark', 'bwrap'].map((name) => join(newFolder(), name))
  writeFileSync(String(script), DYING_ENGINE)
  writeFileSync(String(slow), SLOW_BWRAP, { mode: 0o755 })
  const args = [script, compiled, use, folder, pidFolder, mark].map(String)
  const env = { PATH: `${dirname(String(slow))}:${ENV.PATH}` }
  await once(spawn(process.execPath, args, { env, cwd: '/' }), 'exit')
  const record = readPidFiles(pidFolder)[0]?.key ?? null
  expect(record).not.toBeNull()
  await vi.waitFor(() => expect([record && isAlive(record), pidsInside(folder)]).toEqual([false, []]), SOON)
  await pause(700)
  expect(existsSync(String(mark))).toBe(false)
})

test('a guard ends the processes it watches, leaves the rest alone, and exits', async () => {
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

test('a place watched twice is watched until it is unwatched twice', async () => {
  const place = newPlace()
  const guard = startedGuard()
  for (const step of [guard.watch, guard.watch, guard.unwatch]) step(place)
  sleeperIn(place.folder)
  await guard.end()
  expect(pidsInside(place.folder)).toEqual([])
})

test('Ctrl-C, a closed terminal and SIGTERM do not end a guard', async () => {
  const place = newPlace()
  const guard = startedGuard()
  guard.watch(place)
  await vi.waitFor(() => expect(catchesHangUp(guard.pid)).toBe(true), SOON)
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.kill(guard.pid, signal)
  sleeperIn(place.folder)
  await guard.end()
  expect(pidsInside(place.folder)).toEqual([])
})

// SIGHUP is the last of the three that the guard handles; Node catches the other two from the start, and exits by them.
function catchesHangUp(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return (BigInt(`0x${caught}`) & 1n) === 1n
}

test('a killed guard is replaced, and the next one watches the same places', async () => {
  const [first, second] = [newPlace(), newPlace()]
  const guard = startedGuard()
  guard.watch(first)
  const killed = guard.pid
  process.kill(killed, 'SIGKILL')
  await vi.waitFor(() => {
    guard.watch(second)
    expect(guard.pid).not.toBe(killed)
  }, SOON)
  sleeperIn(first.folder)
  await guard.end()
  expect(pidsInside(first.folder)).toEqual([])
})

test('a bwrap that does not work is not used', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  expect(await probeContainment({ env: { PATH: folder }, use: 'bwrap' })).toMatchObject({ kind: 'not-started' })
})

test('a guard that is not built and a missing bwrap are reported', async () => {
  const none = await probeContainment({ env: ENV, use: 'guard', guardFile: join(base, 'none.js') })
  expect(none).toEqual({ kind: 'not-started', message: expect.stringContaining('none.js') })
  const nowhere = await probeContainment({ env: { PATH: base }, use: 'bwrap' })
  expect(nowhere).toEqual({ kind: 'not-started', message: expect.stringContaining('bwrap') })
})

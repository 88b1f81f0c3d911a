import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { HANG_MS, SOON } from '../../../test/patience.ts'
import { recordStart } from '../start/record-start.ts'
import { emptyWorkspace, endAbandoned, endTree } from './end-tree.ts'
import { isAlive, type ProcessKey, readProcess } from './process-table.ts'
import { pidsInside } from './working-folders.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul tëst ')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const newFolder = (): string => mkdtempSync(join(base, 'földer '))

async function untilInside(folder: string, count: number): Promise<void> {
  await vi.waitFor(() => expect(pidsInside(folder)).toHaveLength(count), SOON)
}

interface Started {
  readonly child: ChildProcess
  readonly key: ProcessKey
}

function start(cwd: string, script: string): Started {
  const child = spawn('/bin/sh', ['-c', script], { cwd, stdio: 'ignore', detached: true })
  return { child, key: keyOf(child.pid ?? 0) }
}

function keyOf(pid: number): ProcessKey {
  return { pid, startTime: readProcess(pid)?.startTime ?? 0 }
}

test('a tree of processes ends, and the answer is empty', async () => {
  const folder = newFolder()
  const { child, key } = start(folder, 'sh -c "sleep 300 & sleep 300" & sleep 300')
  await untilInside(folder, 5)
  const exited = once(child, 'exit')
  expect(await endTree({ roots: [key], folder: null, graceMs: HANG_MS })).toEqual([])
  expect(await exited).toEqual([null, 'SIGTERM'])
  expect(pidsInside(folder)).toEqual([])
})

test('a child in a session of its own that outlives its parent is found by its working folder', async () => {
  const folder = newFolder()
  const { child } = start(folder, 'setsid sleep 300 &')
  await once(child, 'exit')
  await untilInside(folder, 1)
  expect(await endTree({ roots: [], folder, graceMs: HANG_MS })).toEqual([])
  expect(pidsInside(folder)).toEqual([])
})

test('a child in a session of its own that works elsewhere is found before its parent ends', async () => {
  const elsewhere = newFolder()
  const { key } = start(newFolder(), `(cd '${elsewhere}'; exec setsid sleep 300) & wait`)
  await untilInside(elsewhere, 1)
  expect(await endTree({ roots: [key], folder: null, graceMs: HANG_MS })).toEqual([])
  expect([isAlive(key), pidsInside(elsewhere)]).toEqual([false, []])
})

test('a child that works elsewhere is found by the session of its dead parent', async () => {
  const elsewhere = newFolder()
  const { child, key } = start(newFolder(), `cd '${elsewhere}'; sleep 300 &`)
  await once(child, 'exit')
  await untilInside(elsewhere, 1)
  expect(await endTree({ roots: [key], folder: null, graceMs: HANG_MS })).toEqual([])
  expect(pidsInside(elsewhere)).toEqual([])
})

test('a process that ignores SIGTERM is killed after the grace', async () => {
  const folder = newFolder()
  const { child, key } = start(folder, 'trap "" TERM; touch ready; while :; do sleep 0.05; done')
  await vi.waitFor(() => expect(existsSync(join(folder, 'ready'))).toBe(true), SOON)
  const exited = once(child, 'exit')
  expect(await endTree({ roots: [key], folder, graceMs: 100 })).toEqual([])
  expect(await exited).toEqual([null, 'SIGKILL'])
})

test('a process started while the tree ends is ended too', async () => {
  const elsewhere = newFolder()
  const { key } = start(elsewhere, 'while :; do setsid sleep 300 & sleep 0.001; done')
  await vi.waitFor(() => expect(pidsInside(elsewhere).length).toBeGreaterThan(5), SOON)
  expect(await endTree({ roots: [key], folder: null, graceMs: HANG_MS })).toEqual([])
  expect(pidsInside(elsewhere)).toEqual([])
})

test('a process that got the pid of a recorded one is left alone', async () => {
  const { child, key } = start(newFolder(), 'exec sleep 300')
  const other = { pid: key.pid, startTime: key.startTime - 1 }
  expect(await endTree({ roots: [other], folder: null, graceMs: 0 })).toEqual([])
  expect(isAlive(key)).toBe(true)
  child.kill('SIGKILL')
})

test('a workspace is emptied by its pid files and its folder, and only the records of the dead go', async () => {
  const [folder, pidFolder] = [newFolder(), newFolder()]
  const elsewhere = start('/', 'exec sleep 300')
  recordStart(join(pidFolder, 'a.pid'), elsewhere.key.pid)
  start(folder, 'setsid sleep 300 & sleep 300')
  writeFileSync(join(pidFolder, 'old.pid'), `another-boot\n${process.pid} (x) S 1`)
  writeFileSync(join(pidFolder, 'empty.pid'), '')
  writeFileSync(join(pidFolder, 'notes.txt'), 'mine')
  await untilInside(folder, 3)
  await vi.waitFor(() => expect(readProcess(elsewhere.key.pid)?.name).toBe('sleep'), SOON)
  expect(await emptyWorkspace({ folder, pidFolder, graceMs: HANG_MS })).toEqual([])
  expect([isAlive(elsewhere.key), pidsInside(folder)]).toEqual([false, []])
  expect(readdirSync(pidFolder)).toEqual(['notes.txt'])
})

test('a folder that was removed under a process is emptied', async () => {
  const folder = newFolder()
  start(folder, 'exec sleep 300')
  await untilInside(folder, 1)
  rmdirSync(folder)
  expect(await emptyWorkspace({ folder, pidFolder: join(folder, 'pids'), graceMs: HANG_MS })).toEqual([])
  expect(pidsInside(folder)).toEqual([])
})

test('an empty tree is reported at once', async () => {
  const folder = newFolder()
  const times: number[] = []
  const startedAt = performance.now()
  for (let turn = 0; turn < 10; turn += 1) {
    const before = process.cpuUsage()
    expect(await emptyWorkspace({ folder, pidFolder: join(folder, 'none'), graceMs: HANG_MS })).toEqual([])
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  expect(Math.min(...times)).toBeLessThan(20)
  expect(performance.now() - startedAt).toBeLessThan(HANG_MS)
})

test("a guard leaves alone the processes that a dead engine's successor starts meanwhile", async () => {
  const folder = newFolder()
  const pidFolder = join(folder, 'pids')
  mkdirSync(pidFolder)
  const abandoned = start(folder, 'trap "" TERM; touch ready; while :; do sleep 0.02; done')
  await vi.waitFor(() => expect(existsSync(join(folder, 'ready'))).toBe(true), SOON)
  const ending = endAbandoned({ folder, pidFolder, graceMs: 200 })
  const next = start(folder, 'exec sleep 300')
  expect(await ending).toEqual([])
  expect([isAlive(abandoned.key), isAlive(next.key)]).toEqual([false, true])
  next.child.kill('SIGKILL')
})

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { SOON } from '../../../test/patience.ts'
import { isAlive, parseStat, readProcess, readProcessTable } from './process-table.ts'
import { isInside, pidsInside } from './working-folders.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul tëst ')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const newFolder = (): string => mkdtempSync(join(base, 'földer '))

function startIn(cwd: string, script: string): number {
  const { pid } = spawn('/bin/sh', ['-c', script], { cwd, stdio: 'ignore', detached: true })
  if (pid === undefined) throw new Error('no sh')
  onTestFinished(() => void process.kill(-pid, 'SIGKILL'))
  return pid
}

test('a name with spaces and parentheses does not shift the fields', () => {
  const after = 'S 7 8 9 34816 10 4194304 0 0 0 0 0 0 0 0 20 0 1 0 5544 0 0'
  expect(parseStat(`6 (a) S (b c) ${after}`)).toEqual({
    pid: 6,
    ppid: 7,
    group: 8,
    session: 9,
    hasTerminal: true,
    isStopped: false,
    startTime: 5544,
    name: 'a) S (b c',
  })
})

test('zombies are dead, unless threads of theirs go on', () => {
  const stat = (state: string, threads: number) =>
    `6 (a) ${state} 7 8 9 0 0 0 0 0 0 0 0 0 0 0 20 0 ${threads} 0 5544 0 0`
  expect(parseStat(stat('Z', 1))).toBeNull()
  expect(parseStat(stat('X', 1))).toBeNull()
  expect(parseStat(stat('Z', 2))).toMatchObject({ pid: 6 })
})

test('nonsense is no process', () => {
  expect([parseStat(''), parseStat('6 (a'), parseStat('6 (a) S 1')]).toEqual([null, null, null])
})

test('the table holds this process and its parent', () => {
  const table = readProcessTable()
  expect(table.get(process.pid)).toEqual(readProcess(process.pid))
  expect(table.get(process.pid)?.ppid).toBe(process.ppid)
})

test('a process with another start time is another process', () => {
  const startTime = readProcess(process.pid)?.startTime ?? 0
  expect(isAlive({ pid: process.pid, startTime })).toBe(true)
  expect(isAlive({ pid: process.pid, startTime: startTime + 1 })).toBe(false)
})

test('a child that is not reaped is dead', async () => {
  const parent = startIn('/', 'sleep 0.01 & exec sleep 300')
  const childrenOf = (pid: number) => [...readProcessTable().values()].filter(({ ppid }) => ppid === pid)
  await vi.waitFor(() => expect(readProcess(parent)?.name).toBe('sleep'), SOON)
  await vi.waitFor(() => expect(childrenOf(parent)).toEqual([]), SOON)
})

test('processes are found by their working folder, also behind a link and in a folder that is gone', async () => {
  const home = newFolder()
  const real = join(home, 'real')
  mkdirSync(join(real, 'sub'), { recursive: true })
  symlinkSync(real, join(home, 'link'))
  const pid = startIn(join(real, 'sub'), 'exec sleep 300')
  await vi.waitFor(() => expect(pidsInside(join(home, 'link'))).toEqual([pid]), SOON)
  rmdirSync(join(real, 'sub'))
  rmdirSync(real)
  expect([pidsInside(real), pidsInside(join(real, 'sub')), pidsInside(join(home, 'rea'))]).toEqual([[pid], [pid], []])
})

test('a folder is not inside one that its name begins with', () => {
  expect(isInside('/a/bc', '/a/b')).toBe(false)
  expect(isInside('/a/b (deleted)', '/a/b')).toBe(true)
  expect(isInside('/a', '/')).toBe(true)
})

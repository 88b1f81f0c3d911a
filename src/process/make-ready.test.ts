import processes from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useContainment } from '../../test/conformance/containments.ts'
import { makeReady } from './make-ready.ts'
import { endShells, runInShell } from './run-in-shell.ts'
import { startProcess } from './start-process.ts'
import { endWaiting } from './waiting-process.ts'

const containment = await useContainment()
const folder = mkdtempSync(join(tmpdir(), 'longhaul-ready-'))
const pidFile = join(folder, 'program.pid')
afterAll(() => rmSync(folder, { recursive: true }))
const START = { file: '/bin/sh', cwd: '/', env: { PATH: '/usr/bin:/bin' } }

afterAll(() => Promise.all([endShells(), endWaiting()]))

test('commands and a program start from what was made ready: this process makes none for them', async () => {
  makeReady(containment)
  let made = 0
  const count = () => {
    made += 1
  }
  // Node tells of every process that it makes here.
  subscribe('child_process', count)
  const command = (code: number) => runInShell({ ...START, args: ['-c', `exit ${code}`] })
  const ended = Promise.all([command(1), command(2), command(3)])
  const program = startProcess({
    command: ['/bin/sh', '-c', 'exit 4'],
    containment,
    pidFile,
    cwd: '/',
    env: START.env,
    takesInput: false,
    hasThird: false,
  })
  // Later on, what was used up is made again.
  unsubscribe('child_process', count)
  expect(made).toBe(0)
  expect((await once(program, 'exit'))[0]).toBe(4)
  expect((await ended).map((one) => one.kind === 'ended' && one.exitCode)).toEqual([1, 2, 3])
})

test('where the system has no room for another process, nothing is made ready, and commands say so', async () => {
  await Promise.all([endShells(), endWaiting()])
  const { spawn } = processes
  processes.spawn = () => {
    throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
  }
  syncBuiltinESMExports()
  try {
    makeReady(containment)
    expect(await runInShell({ ...START, args: ['-c', 'exit 1'] })).toMatchObject({ kind: 'not-started' })
  } finally {
    processes.spawn = spawn
    syncBuiltinESMExports()
  }
  expect(await runInShell({ ...START, args: ['-c', 'exit 1'] })).toMatchObject({ kind: 'ended', exitCode: 1 })
})

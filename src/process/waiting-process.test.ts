import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bundleSources } from '../../test/bundle-sources.ts'
import { readProcess } from './process-table.ts'
import { startProcess } from './start-process.ts'
import { endWaiting, makeWaiting, takeWaiting } from './waiting-process.ts'

const SOON = { interval: 5, timeout: 5_000 }
const bundled = mkdtempSync(join(tmpdir(), 'longhaul-waiting-'))
const [waiting, starting] = ['waiting', 'start'].map((name) => join(bundled, `dist/process/${name}-process.js`))
beforeAll(() => bundleSources(bundled, 'process/waiting-process', 'process/start-process'))
afterAll(() => rmSync(bundled, { recursive: true }))
afterAll(endWaiting)

function taken(): ChildProcess {
  makeWaiting()
  const child = takeWaiting()
  if (child === null) throw new Error('nothing waits')
  return child
}

test('what waits becomes a program of the same pid that leads its session, and gets all input after the line', async () => {
  const command = ['/bin/sh', '-c', 'echo $$; cat'] as const
  const how = { pidFile: null, cwd: '/', env: { PATH: '/usr/bin:/bin' } }
  makeWaiting()
  const child = startProcess({ command, ...how, takesInput: true, hasThird: false, endsWithUs: true })
  expect(readProcess(child.pid ?? 0)).toMatchObject({ session: child.pid, group: child.pid })
  child.stdin?.end('said\nat once')
  expect(await text(child.stdout as NonNullable<ChildProcess['stdout']>)).toBe(`${child.pid}\nsaid\nat once`)
})

test('one that has died meanwhile is passed over', async () => {
  makeWaiting()
  const dead = taken()
  dead.kill('SIGKILL')
  await once(dead, 'exit')
  expect(takeWaiting()?.pid).not.toBe(dead.pid)
})

test('what waits in vain ends when it is told to, and with its maker', async () => {
  const script = `const { makeWaiting } = await import(process.argv[1]); makeWaiting(); setInterval(() => {}, 1000)
    const { readFileSync } = await import('node:fs')
    console.log(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim())`
  const maker = spawn(process.execPath, ['--input-type=module', '-e', script, String(waiting)])
  const [line] = (await once(maker.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  await vi.waitFor(() => expect(readProcess(pid)).toMatchObject({ name: 'sh', ppid: maker.pid }), SOON)
  maker.kill('SIGKILL')
  await vi.waitFor(() => expect(readProcess(pid)).toBeNull(), SOON)
})

test('a line that is left when the engine has died starts nothing', async () => {
  const script = `const [waiting, starting] = process.argv.slice(1)
    const { makeWaiting } = await import(waiting); const { startProcess } = await import(starting); makeWaiting()
    const { readFileSync } = await import('node:fs')
    const pid = Number(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'))
    process.kill(pid, 'SIGSTOP')
    startProcess({ command: ['/bin/sleep', '300'], pidFile: null, cwd: '/', env: {}, takesInput: false, hasThird: false, endsWithUs: true })
    console.log(pid); setInterval(() => {}, 1000)`
  const maker = spawn(process.execPath, ['--input-type=module', '-e', script, String(waiting), String(starting)])
  const [line] = (await once(maker.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  maker.kill('SIGKILL')
  await once(maker, 'exit')
  process.kill(pid, 'SIGCONT')
  await vi.waitFor(() => expect(readProcess(pid)).toBeNull(), SOON)
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleSources } from '../../test/bundle-sources.ts'
import { useContainments } from '../../test/conformance/containments.ts'
import type { Containment } from './containment.ts'
import { readProcess } from './process-table.ts'
import { startProcess } from './start-process.ts'
import { endWaiting, fillWaiting, takeWaiting } from './waiting-process.ts'

const SOON = { interval: 5, timeout: 5_000 }
const containments = await useContainments()
const base = mkdtempSync(join(tmpdir(), 'longhaul-waiting-'))
const bundled = ['waiting-process', 'start-process'].map((name) => join(base, `dist/process/${name}.js`))
beforeAll(() => bundleSources(base, 'process/waiting-process', 'process/start-process'))
afterAll(() => rmSync(base, { recursive: true }))
afterAll(endWaiting)

const programOf = (containment: Containment) => ({
  ...{ containment, pidFile: join(base, `${containment.kind}.pid`), cwd: '/', env: { PATH: '/usr/bin:/bin' } },
  hasThird: false,
})

function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // gone
  }
}

/** Runs a program with the two modules as its first arguments, until it has said something. */
async function maker(script: string, ...args: readonly string[]): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${IMPORTS}${script}`, ...bundled, ...args])
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: said.toString().trim() }
}

const IMPORTS = `const [waiting, starting, kind, file] = process.argv.slice(1); const containment = { kind, file }
const { fillWaiting } = await import(waiting); const { startProcess } = await import(starting)
setInterval(() => {}, 1000)
`

describe.each(containments)('under $kind', (containment) => {
  test('what waits becomes a program that leads its session, and gets all input after the line', async () => {
    fillWaiting(containment)
    const command = ['/bin/sh', '-c', 'cat; [ -e /proc/self/fd/3 ] && echo third'] as const
    const child = startProcess({ ...programOf(containment), command, takesInput: true })
    expect(readProcess(child.pid)).toMatchObject({ session: child.pid, group: child.pid })
    child.stdin?.end('said\nat once')
    expect(await text(child.stdout as NonNullable<ChildProcess['stdout']>)).toBe('said\nat once')
  })

  test('one that has died meanwhile is passed over', async () => {
    fillWaiting(containment)
    const dead = takeWaiting(containment)
    dead?.kill('SIGKILL')
    await once(dead as ChildProcess, 'exit')
    expect(takeWaiting(containment)?.pid).not.toBe(dead?.pid)
  })

  test('what waits in vain ends with its maker', async () => {
    const file = containment.kind === 'bwrap' ? containment.file : ''
    const { child } = await maker('fillWaiting(containment); console.log()', containment.kind, file)
    const made = childrenOf(child.pid)
    expect(made).toHaveLength(4)
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(made.map(readProcess)).toEqual(made.map(() => null)), SOON)
  })
})

const bwrap = containments.find(({ kind }) => kind === 'bwrap')

// bwrap's child is stopped in its first moments, before it can have tied itself to bwrap, and goes on when both are dead.
test.runIf(bwrap)('bwrap and engine that are killed together while a program is made start none', async () => {
  for (let round = 1; round <= 5; round += 1) {
    const mark = join(base, `mark-${round}`)
    const { child, said } = await maker(START, 'bwrap', bwrap?.kind === 'bwrap' ? bwrap.file : '', mark)
    const [outer = 0, inner = 0] = said.split(' ').map(Number)
    process.kill(outer, 'SIGKILL')
    child.kill('SIGKILL')
    await once(child, 'exit')
    process.kill(inner, 'SIGCONT')
    await vi.waitFor(() => expect(readProcess(inner)).toBeNull(), SOON)
    await pause(500)
    expect(existsSync(mark)).toBe(false)
  }
})

const START = `
const { readFileSync } = await import('node:fs')
const program = { containment, pidFile: process.argv[5] + '.pid', cwd: '/', env: {}, takesInput: false, hasThird: false }
const { pid } = startProcess({ ...program, command: ['/bin/sh', '-c', 'sleep 0.3; echo > "$0"', process.argv[5]] })
let inner = ''
while (inner === '') inner = readFileSync('/proc/' + pid + '/task/' + pid + '/children', 'utf8').trim()
process.kill(Number(inner), 'SIGSTOP')
console.log(pid, inner)
`

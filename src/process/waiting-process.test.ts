import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleSources } from '../../test/bundle-sources.ts'
import { useContainments } from '../../test/conformance/containments.ts'
import { SOON } from '../../test/patience.ts'
import type { Containment } from './containment.ts'
import { readProcess } from './process-table.ts'
import { startProcess } from './start-process.ts'
import { endWaiting, fillWaiting } from './waiting-process.ts'

const containments = await useContainments()
const base = mkdtempSync(join(tmpdir(), 'longhaul-waiting-'))
const bundled = join(base, 'dist/process/waiting-process.js')
beforeAll(() => bundleSources(base, 'process/waiting-process'))
afterAll(() => rmSync(base, { recursive: true }))
afterAll(endWaiting)

const programOf = (containment: Containment) => ({
  containment,
  pidFile: join(base, `${containment.kind}.pid`),
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  hasThird: false,
})

function fileOf(containment: Containment | undefined): string {
  return containment?.kind === 'bwrap' ? containment.file : ''
}

function descendantsOf(pid: number | undefined): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // gone
  }
}

/** What waits from now on, and nothing else does. */
async function madeAnew(containment: Containment): Promise<readonly number[]> {
  await endWaiting()
  const before = childrenOf(process.pid)
  fillWaiting(containment)
  return childrenOf(process.pid).filter((pid) => !before.includes(pid))
}

const MAKER = `const [waiting, kind, file] = process.argv.slice(1)
const { fillWaiting } = await import(waiting)
fillWaiting({ kind, file })
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

  test('those that have died unheard are passed over', async () => {
    const made = await madeAnew(containment)
    for (const pid of made) process.kill(pid, 'SIGKILL')
    // Node hears nothing of it meanwhile.
    while (made.some((pid) => readProcess(pid) !== null));
    const command = ['/bin/sh', '-c', 'echo ran'] as const
    const child = startProcess({ ...programOf(containment), command, takesInput: false })
    expect(await text(child.stdout as NonNullable<ChildProcess['stdout']>)).toBe('ran\n')
  })

  test('what waits in vain ends with its maker', async () => {
    const args = [bundled, containment.kind, fileOf(containment)]
    const child = spawn(process.execPath, ['--input-type=module', '-e', MAKER, ...args])
    const each = containment.kind === 'bwrap' ? 3 : 1
    await vi.waitFor(() => expect(descendantsOf(child.pid)).toHaveLength(4 * each), SOON)
    const made = descendantsOf(child.pid)
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(made.map(readProcess)).toEqual(made.map(() => null)), SOON)
  })

  test('one that does not end when it is told to is ended', async () => {
    const made = await madeAnew(containment)
    for (const pid of made) process.kill(pid, 'SIGSTOP')
    await endWaiting()
    await vi.waitFor(() => expect(made.map(readProcess)).toEqual(made.map(() => null)), SOON)
  })
})

test('where no process can be made it is tried once, and told', async () => {
  const gone: Containment = { kind: 'bwrap', file: join(base, 'gone') }
  let tries = 0
  const count = () => {
    tries += 1
  }
  subscribe('child_process', count)
  const start = () => startProcess({ ...programOf(gone), command: ['/bin/true'], takesInput: false })
  expect(start).toThrow('bwrap is gone')
  await pause(300)
  unsubscribe('child_process', count)
  // Now, and once more to have one in store.
  expect(tries).toBe(2)
})

const bwrap = containments.find(({ kind }) => kind === 'bwrap')

// The first process of a namespace, which is busy until there is a file: as if it had yet to tie itself.
const BUSY = (file: string, until: string) => `#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec ${file} --dev-bind / / --unshare-pid --proc /proc --die-with-parent --as-pid-1 -- /bin/sh -c '"$@" <&4 4<&- & while [ -e ${dirname(until)} ] && ! [ -e ${until} ]; do :; done; wait' sh "$@" 4<&0
`
test.runIf(bwrap)('what is not tied yet does not say so, and begins nothing', async () => {
  const [file, until] = [join(base, 'busy-bwrap'), join(base, 'until')]
  writeFileSync(file, BUSY(fileOf(bwrap), until), { mode: 0o755 })
  const command = ['/bin/sh', '-c', 'echo ran'] as const
  const program = { ...programOf({ kind: 'bwrap', file }), hasThird: true }
  const child = startProcess({ ...program, command, takesInput: false })
  const said = [child.stdio[3], child.stdout].map((pipe) => text(pipe as Readable))
  await pause(300)
  const early = (child.stdio[3] as Socket).bytesRead
  writeFileSync(until, '')
  expect(early).toBe(0)
  expect(await Promise.all(said)).toEqual(['\n', 'ran\n'])
})

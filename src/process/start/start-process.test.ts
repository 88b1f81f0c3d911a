import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { useContainments } from '../../../test/conformance/containments.ts'
import { readProcess } from '../end/process-table.ts'
import { CONTROL_PIPE, type Containment, pidNamespace } from './containment.ts'
import { type ProcessToStart, startProcess } from './start-process.ts'

const containments = await useContainments()
const base = mkdtempSync(join(tmpdir(), 'longhaul-start-'))
afterAll(() => rmSync(base, { recursive: true }))

const processOf = (containment: Containment, script: string): ProcessToStart => ({
  command: ['/bin/sh', '-c', script],
  containment,
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  takesInput: false,
  keepsControlPipe: false,
  record: () => {},
})

const outputOf = ({ stdout }: ChildProcess): Promise<string> => text(stdout as Readable)

describe.each(containments)('under $kind', (containment) => {
  test('a program leads its session, has its input to itself and no control pipe', async () => {
    const script = `cat; [ -e /proc/self/fd/${CONTROL_PIPE} ] && echo third`
    const child = startProcess({ ...processOf(containment, script), takesInput: true })
    expect(readProcess(child.pid)).toMatchObject({ session: child.pid, group: child.pid })
    child.stdin?.end('said\nat once')
    expect(await outputOf(child)).toBe('said\nat once')
  })

  test('its variables are in no argument', async () => {
    const script = 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n"'
    const start = processOf(containment, script)
    const output = await outputOf(startProcess({ ...start, env: { ...start.env, TOKEN: 'secret-8c1d' } }))
    expect(output).toContain(script)
    expect(output).not.toContain('secret-8c1d')
  })

  test('a program whose start cannot be recorded does not run', async () => {
    const file = join(base, `${containment.kind}-ran`)
    const record = () => {
      throw new Error('the disk is full')
    }
    expect(() => startProcess({ ...processOf(containment, `echo > ${file}`), record })).toThrow('the disk is full')
  })
})

test('a bwrap that is gone is an error', () => {
  const gone = pidNamespace(join(base, 'gone'))
  expect(() => startProcess(processOf(gone, 'true'))).toThrow('bwrap is gone')
})

const bwrap = containments.find(({ kind }) => kind === 'bwrap')
const real = bwrap?.kind === 'bwrap' ? bwrap.file : ''

/** Starts `echo ran` under a script that stands in for bwrap and gets the command of the shell inside. */
function startUnder(name: string, script: string): ChildProcess {
  const file = join(base, name)
  const lines = ['#!/bin/sh', 'while [ "$1" != -- ]; do shift; done', 'shift', script]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o755 })
  return startProcess({ ...processOf(pidNamespace(file), 'echo ran'), keepsControlPipe: true })
}

test.runIf(bwrap)('a namespace whose first process is not tied to bwrap yet begins nothing', async () => {
  const until = join(base, 'until')
  const isBusy = `[ -e ${dirname(until)} ] && ! [ -e ${until} ]`
  const child = startUnder(
    'busy-bwrap',
    `exec ${real} --dev-bind / / --unshare-pid --proc /proc --die-with-parent --as-pid-1 -- /bin/sh -c '"$@" & while ${isBusy}; do :; done; wait' sh "$@"`,
  )
  const outputs = [text(child.stdio[CONTROL_PIPE] as Readable), outputOf(child)]
  await pause(300)
  const early = (child.stdio[CONTROL_PIPE] as Socket).bytesRead
  writeFileSync(until, '')
  expect(early).toBe(0)
  expect(await Promise.all(outputs)).toEqual(['\n', 'ran\n'])
})

test.runIf(bwrap)('a namespace whose bwrap died before it was tied begins nothing', async () => {
  const child = startUnder(
    'dying-bwrap',
    `(while kill -0 $$ 2>/dev/null; do :; done; exec ${real} --dev-bind / / --unshare-pid --proc /proc -- "$@") & exit 0`,
  )
  expect(await outputOf(child)).toBe('')
  expect((child.stdio[CONTROL_PIPE] as Socket).bytesRead).toBe(1)
})

import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { TEST_PATH } from '../../../test/environment.ts'
import { SOON } from '../../../test/patience.ts'
import { pidsInside } from '../end/working-folders.ts'
import { Shells } from '../shell/shells.ts'
import { type Command, type CommandEnded, runCommand } from './run-command.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul tëst ')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const ENV = { PATH: TEST_PATH }

async function untilInside(folder: string, count: number): Promise<void> {
  await vi.waitFor(() => expect(pidsInside(folder)).toHaveLength(count), SOON)
}

const shells = new Shells()
afterAll(() => shells.close())

describe.each([
  ['directly', runCommand],
  ['in a shell', shells.run],
])('%s', (_, runIt) => {
  async function run(script: string, more: Partial<Command> = {}): Promise<CommandEnded> {
    const result = await runIt({ file: 'sh', args: ['-c', script], cwd: folder, env: ENV, ...more })
    if (result.kind === 'not-started') throw new Error(result.message)
    return result
  }

  test('a command delivers stdout, stderr and its exit code', async () => {
    expect(await run('printf "\\377out"; echo err >&2; exit 3')).toEqual({
      kind: 'ended',
      exitCode: 3,
      signal: null,
      stdout: Buffer.from([0xff, ...Buffer.from('out')]),
      stderr: 'err\n',
      timedOut: false,
      overflowed: false,
      durationMs: expect.any(Number),
    })
  })

  test('its environment is the given one and nothing else', async () => {
    const { stdout } = await run('', { file: 'env', args: [], env: { PATH: '/usr/bin', A: 'ä b' } })
    expect(stdout.toString().split('\n').sort()).toEqual(['', 'A=ä b', 'PATH=/usr/bin'])
  })

  test('input can come from a file, and output go to a new one, up to a bound', async () => {
    const [from, to] = [join(folder, 'from'), join(folder, `to ${randomUUID()}`)]
    writeFileSync(from, Buffer.from([0xff, 0, 10]))
    const ended = await run('cat; cat', { inputFile: from, outputFile: to })
    expect(ended).toMatchObject({ exitCode: 0, stdout: Buffer.alloc(0) })
    expect(readFileSync(to)).toEqual(Buffer.from([0xff, 0, 10]))
    expect(await run('echo more', { outputFile: to })).toMatchObject({
      exitCode: null,
      stderr: expect.stringContaining('EEXIST'),
    })
    expect(readFileSync(to)).toEqual(Buffer.from([0xff, 0, 10]))
    const long = { outputFile: join(folder, `long ${randomUUID()}`), outputMax: 1000 }
    expect(await run('while :; do echo more; done', long)).toMatchObject({ exitCode: null, overflowed: true })
  })

  test('input reaches it; without input there is nothing to wait for', async () => {
    expect((await run('cat', { input: 'größe' })).stdout.toString()).toBe('größe')
    expect((await run('cat')).stdout.toString()).toBe('')
  })

  test.each(['-x: %s %d%%', '--', "it's \\0101 \\n \\c $HOME `id`", 'a\x007b\0\0', '\n\n', ''])(
    'input arrives as it is: %j',
    async (input) => {
      expect((await run('cat', { input })).stdout.toString()).toBe(input)
    },
  )

  test('a command that does not read its input is no crash', async () => {
    expect(await run('exit 0', { input: Buffer.alloc(4_000_000) })).toMatchObject({ exitCode: 0 })
  })

  test('arguments arrive as they are', async () => {
    const args = ['%s|', 'a b', '$(id)', '"', "'", '*', '']
    const { stdout } = await run('', { file: 'printf', args })
    expect(stdout.toString()).toBe('a b|$(id)|"|\'|*||')
  })

  test('a missing program or folder is reported and not thrown', async () => {
    const missing = await runIt({ file: 'no-such-program', args: [], cwd: folder, env: ENV })
    expect(missing).toEqual({ kind: 'not-started', message: expect.stringContaining('no-such-program') })
    const nowhere = await runIt({ file: 'true', args: [], cwd: `${folder}/none`, env: ENV })
    expect(nowhere).toEqual({ kind: 'not-started', message: expect.stringContaining('/none') })
    const broken = await runIt({ file: 'true', args: ['a\0b'], cwd: folder, env: ENV })
    expect(broken.kind).toBe('not-started')
  })

  test('a timeout ends it with its children', async () => {
    const result = await run('sleep 300 & sleep 300', { timeoutMs: 50 })
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: true })
    await untilInside(folder, 0)
  })

  test('a cancelled command ends; one cancelled before does not start', async () => {
    const cancel = new AbortController()
    const running = run('echo $$; exec sleep 300', { signal: cancel.signal })
    await untilInside(folder, 1)
    cancel.abort()
    expect(await running).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: false })
    const late = await runIt({ file: 'true', args: [], cwd: folder, env: ENV, signal: cancel.signal })
    expect(late.kind).toBe('not-started')
  })

  test('a command that writes too much is stopped, and its exit code does not count', async () => {
    const result = await run('head -c 100000 /dev/zero', { outputMax: 1000 })
    expect(result).toMatchObject({ exitCode: null, overflowed: true })
    expect(result.stdout.length).toBeLessThanOrEqual(1000)
  })
})

import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { afterTimeout } from '../../../test/after-timeout.ts'
import { TEST_ENV, useContainments } from '../../../test/conformance/containments.ts'
import { HANG_MS, SOON } from '../../../test/patience.ts'
import { pidsInside } from '../end/working-folders.ts'
import type { Containment } from './containment.ts'
import { type ContainedCommand, type ContainedEnded, runContained } from './run-contained.ts'

const containments = await useContainments()
const base = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul tëst ')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const newFolder = (): string => mkdtempSync(join(base, 'földer '))
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const runUnder = (containment: Containment) =>
  async function run(command: string, more: Partial<ContainedCommand> = {}): Promise<ContainedEnded> {
    const cwd = more.cwd ?? newFolder()
    const result = await runContained({
      command,
      cwd,
      env: TEST_ENV,
      timeoutMs: HANG_MS,
      outputMax: 1000,
      folder: cwd,
      pidFolder: `${cwd} pids`,
      containment,
      ...more,
    })
    if (result.kind === 'not-started') throw new Error(result.message)
    expect(readdirSync(`${cwd} pids`)).toEqual([])
    return result
  }

describe.concurrent.each(containments)('under $kind', (containment) => {
  const run = runUnder(containment)

  test('a command gives its exit code and its output, both streams in the order they were written', async () => {
    const output = '1\n2\n3\n4\n'
    expect(await run('echo 1; echo 2 >&2; echo 3; echo 4 >&2; exit 3')).toEqual({
      kind: 'ended',
      exitCode: 3,
      signal: null,
      timedOut: false,
      output,
      outputBytes: 8,
      outputDigest: sha256(output),
      leftovers: 0,
      durationMs: expect.any(Number),
    })
  })

  test('the middle of a long output is left out, the digest is of all of it', async () => {
    const { output, outputDigest } = await run('seq 1 100000', { outputMax: 20 })
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('')
    expect(output).toBe(`1\n2\n3\n4\n5\n\n[${whole.length - 20} bytes left out]\n99\n100000\n`)
    expect(outputDigest).toBe(sha256(whole))
  })

  test('the output is also kept in a file, up to 10 MB', async () => {
    const outputFile = join(newFolder(), 'out.txt')
    await run('echo größe', { outputFile })
    expect(readFileSync(outputFile, 'utf8')).toBe('größe\n')
    await run('head -c 12000000 /dev/zero', { outputFile })
    expect(statSync(outputFile).size).toBeLessThan(10 * 1024 * 1024 + 100)
  })

  test('a file that cannot be written is reported, and the command goes on', async () => {
    const result = await run('echo ok', { outputFile: join(newFolder(), 'none', 'out.txt') })
    expect(result.exitCode).toBe(0)
    expect(result.output).toMatch(/^ok\n\n\[the output was not kept in .*ENOENT/)
  })

  test('a command that answers SIGTERM with success has not succeeded', async () => {
    const result = await run('trap "exit 0" TERM; while :; do sleep 0.01; done', { timeoutMs: 200 })
    expect(result).toMatchObject({ exitCode: null, timedOut: true })
  })

  test('a cancelled command ends; one cancelled before does not start', async () => {
    const cwd = newFolder()
    const cancel = new AbortController()
    const running = run('touch started; sleep 300', { cwd, signal: cancel.signal })
    await vi.waitFor(() => expect(existsSync(join(cwd, 'started'))).toBe(true), SOON)
    cancel.abort()
    expect(await running).toMatchObject({ exitCode: null, timedOut: false })
    expect(pidsInside(cwd)).toEqual([])
    await expect(run('true', { signal: cancel.signal })).rejects.toThrow('cancelled before')
  })

  test('a background process that holds the output open is ended and counted', async () => {
    const cwd = newFolder()
    const result = await run('sleep 300 & setsid sleep 300 & echo done', { cwd })
    expect(result).toMatchObject({ exitCode: 0, output: 'done\n', leftovers: 2, timedOut: false })
    expect(result.durationMs).toBeLessThan(HANG_MS)
    expect(pidsInside(cwd)).toEqual([])
  })

  test('output that a background process writes right after the end is not lost', async () => {
    const { output, leftovers } = await run('(sleep 0.05; echo late) & echo early', { leftoverMs: HANG_MS })
    expect([output, leftovers]).toEqual(['early\nlate\n', 0])
  })

  test('a chatty background process does not hold it up', async () => {
    const result = await run('(while :; do echo x; sleep 0.01; done) & exit 4')
    expect(result).toMatchObject({ exitCode: 4, timedOut: false })
    expect(result.leftovers).toBeGreaterThan(0)
  })

  test('a command killed by a signal has not succeeded', async () => {
    const { exitCode, signal, output } = await run('kill -9 $$')
    expect([exitCode, signal]).toEqual(containment.kind === 'bwrap' ? [137, null] : [null, 'SIGKILL'])
    expect(output).toBe('')
  })

  test('quotes, leading dashes and several lines are left to sh', async () => {
    expect((await run('echo "a  b" \'$HOME\' | cat\necho $((1 + 1))')).output).toBe('a  b $HOME\n2\n')
    expect((await run('-x || echo no')).output).toContain('no')
    expect((await run('cat', { env: {} })).output).toBe('')
  })
})

// Not beside the others: time passes for all of them.
test.each(containments)('a timeout ends the whole tree, under $kind', async (containment) => {
  const run = runUnder(containment)
  const cwd = newFolder()
  const running = afterTimeout(join(cwd, 'started'), (timeoutMs) =>
    run('setsid sleep 300 & echo said; touch started; sleep 300', { cwd, timeoutMs }),
  )
  expect(await running).toMatchObject({ exitCode: null, timedOut: true, output: 'said\n', leftovers: 0 })
  expect(pidsInside(cwd)).toEqual([])
})

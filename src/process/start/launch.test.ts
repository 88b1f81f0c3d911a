import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { TEST_ENV, useContainments } from '../../../test/conformance/containments.ts'
import { HANG_MS, SOON } from '../../../test/patience.ts'
import { readPidFiles } from '../end/pid-files.ts'
import { pidsInside } from '../end/working-folders.ts'
import type { Containment } from './containment.ts'
import { type Launched, launch, type Program } from './launch.ts'

const containments = new Map((await useContainments()).map((containment) => [containment.kind, containment]))
const KINDS = [...containments.keys()]
const base = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul tëst ')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const newFolder = (): string => mkdtempSync(join(base, 'földer '))
const LONG = 'x'.repeat(100_000)

async function untilInside(folder: string, count: number): Promise<void> {
  await vi.waitFor(() => expect(pidsInside(folder)).toHaveLength(count), SOON)
}

function programUnder(kind: Containment['kind']): Program & { readonly cwd: string } {
  const cwd = newFolder()
  const pidFile = join(`${cwd} pids`, 'agent.pid')
  const containment = containments.get(kind)
  if (containment === undefined) throw new Error(`This machine has no ${kind}.`)
  return { file: 'sh', args: [], cwd, env: TEST_ENV, pidFile, containment, folder: cwd, stdin: 'closed' }
}

function started(launched: ReturnType<typeof launch>): Launched {
  if (launched.kind === 'not-started') throw new Error(launched.message)
  return launched
}

async function linesOf(launched: Launched): Promise<string[]> {
  const lines: string[] = []
  for await (const line of launched.lines) lines.push(line.kind === 'line' ? line.text : `too long: ${line.bytes}`)
  return lines
}

describe.concurrent.each(KINDS)('under %s', (kind) => {
  const start = (program: Program): Launched => started(launch(program))
  const sh = (script: string, more: Partial<Program> = {}): Launched =>
    start({ ...programUnder(kind), args: ['-c', script], ...more })

  test('a program delivers lines, the end of stderr and its exit code', async () => {
    const launched = sh('echo one; echo two; echo trouble >&2; exit 3')
    expect(await linesOf(launched)).toEqual(['one', 'two'])
    expect(await launched.ended).toEqual({ exitCode: 3, signal: null })
    expect(launched.stderrTail()).toBe('trouble\n')
    expect(await launched.end(100)).toEqual([])
  })

  test('its stdin can be written to', async () => {
    const launched = sh('read -r line; echo "got $line"', { stdin: 'pipe' })
    launched.stdin?.write('größe\n')
    expect(await linesOf(launched)).toEqual(['got größe'])
    await launched.end(100)
  })

  test('arguments, folder and environment arrive as they are', async () => {
    const program = programUnder(kind)
    const args = ['-e', 'console.log(JSON.stringify([process.argv.slice(1), process.cwd(), process.env]))', '--']
    const wild = ['a b', '$(id)', "'", '"', '*', '', 'ü', 'Á', 'two\nlines', '\\n', '`id`']
    const launched = start({
      ...program,
      file: process.execPath,
      args: [...args, ...wild],
      env: { ...program.env, A: '$HOME', LONG },
    })
    const env = { ...program.env, A: '$HOME', LONG, PWD: program.cwd }
    expect(JSON.parse((await linesOf(launched)).join('\n'))).toEqual([wild, program.cwd, env])
    await launched.end(100)
  })

  test('its pid is recorded before its first instruction, and the record goes when it is ended', async () => {
    const program = programUnder(kind)
    const launched = start({ ...program, args: ['-c', 'cat "$0"; sleep 300', program.pidFile] })
    for await (const line of launched.lines)
      if (line.kind === 'line' && line.text.startsWith(`${launched.pid} (`)) break
    expect(readPidFiles(join(program.pidFile, '..'))).toMatchObject([{ key: { pid: launched.pid } }])
    expect(await launched.end(100)).toEqual([])
    expect(existsSync(program.pidFile)).toBe(false)
  })

  test('only the end of a long stderr is kept', async () => {
    const launched = sh('head -c 100000 /dev/zero | tr "\\0" x >&2; echo end >&2')
    await text(launched.stdout)
    await launched.ended
    expect(launched.stderrTail().endsWith('end\n')).toBe(true)
    expect(launched.stderrTail().length).toBe(16 * 1024)
    await launched.end(100)
  })

  test('writing to a program that has ended is no crash', async () => {
    const launched = sh('exit 0', { stdin: 'pipe' })
    await launched.ended
    launched.stdin?.write(Buffer.alloc(1_000_000))
    launched.stdin?.end('more')
    expect(await launched.end(100)).toEqual([])
  })

  test('its end is the end of a tool in a session of its own', async () => {
    const program = programUnder(kind)
    const elsewhere = newFolder()
    const script = 'setsid sleep 300 & cd "$0"; (exec setsid sleep 300) & cd /; wait'
    const launched = start({ ...program, args: ['-c', script, elsewhere] })
    await untilInside(elsewhere, 1)
    expect(await launched.end(1000)).toEqual([])
    expect([pidsInside(program.cwd), pidsInside(elsewhere)]).toEqual([[], []])
    await launched.ended
  })

  test('once it is ended, ending it again leaves the next program in its folder alone', async () => {
    const program = { ...programUnder(kind), args: ['-c', 'exec sleep 300'] }
    const first = start(program)
    await first.end(1000)
    const next = start(program)
    await vi.waitFor(() => expect(pidsInside(program.cwd).length).toBeGreaterThan(0), SOON)
    expect(await first.end(0)).toEqual([])
    expect(pidsInside(program.cwd).length).toBeGreaterThan(0)
    await next.end(1000)
  })

  test('a second, less patient end makes the first one quick', async () => {
    const launched = sh('trap "" TERM; echo ready; while :; do sleep 0.05; done')
    for await (const _ of launched.lines) break
    const startedAt = performance.now()
    expect(await Promise.all([launched.end(2 * HANG_MS), launched.end(0)])).toEqual([[], []])
    expect(performance.now() - startedAt).toBeLessThan(HANG_MS)
  })

  test('a leftover process does not keep its output open', async () => {
    const program = programUnder(kind)
    const launched = start({ ...program, args: ['-c', 'setsid sleep 300 & echo done'] })
    expect(await linesOf(launched)).toEqual(['done'])
    expect(await launched.end(1000)).toEqual([])
    expect(pidsInside(program.cwd)).toEqual([])
  })

  test('output that is read late is complete', async () => {
    const launched = sh('head -c 300000 /dev/zero | tr "\\0" "\\n"')
    const lines = launched.lines[Symbol.asyncIterator]()
    await lines.next()
    await new Promise((resolve) => setTimeout(resolve, 500))
    let count = 1
    while (!(await lines.next()).done) count += 1
    expect(count).toBe(300_000)
    await launched.end(100)
  })

  test('output is complete for a slow reader', async () => {
    const launched = sh('head -c 1000000 /dev/zero')
    let count = 0
    const slow = new Writable({
      async write(piece: Buffer, _, done) {
        count += piece.length
        // By now the program has written everything, and much of it is unread.
        if (count > 800_000) await pause(700)
        done()
      },
    })
    launched.stdout.pipe(slow)
    launched.stdout.once('close', () => slow.end())
    await once(slow, 'finish')
    expect(count).toBe(1_000_000)
    await launched.end(100)
  })

  test('a missing program or folder is reported and not thrown', () => {
    const program = programUnder(kind)
    const missing = launch({ ...program, file: 'no-such-program' })
    expect(missing).toEqual({ kind: 'not-started', message: expect.stringContaining('no-such-program') })
    const nowhere = launch({ ...program, cwd: `${program.cwd}/none` })
    expect(nowhere).toEqual({ kind: 'not-started', message: expect.stringContaining('/none') })
    const broken = launch({ ...program, args: ['a\0b'] })
    expect(broken.kind).toBe('not-started')
  })

  test('a program whose start cannot be recorded does not run, and is reported', async () => {
    const program = programUnder(kind)
    mkdirSync(program.pidFile, { recursive: true })
    const mark = join(program.cwd, 'mark')
    const launched = launch({ ...program, args: ['-c', 'echo > "$0"', mark] })
    expect(launched).toEqual({ kind: 'not-started', message: expect.stringContaining(program.pidFile) })
    await pause(500)
    expect(existsSync(mark)).toBe(false)
  })

  test('it is found without a PATH', async () => {
    expect(await linesOf(sh('echo ok', { env: {} }))).toEqual(['ok'])
  })
})

test.skipIf(!KINDS.includes('bwrap'))('kill -9 of bwrap ends everything in it', async () => {
  const program = programUnder('bwrap')
  const launched = started(launch({ ...program, args: ['-c', 'setsid sleep 300 & trap "" TERM; sleep 301'] }))
  // The first process of bwrap's namespace, the shell and the two that it started.
  await untilInside(program.cwd, 4)
  process.kill(launched.pid, 'SIGKILL')
  expect(await launched.ended).toEqual({ exitCode: null, signal: 'SIGKILL' })
  await untilInside(program.cwd, 0)
  expect(await linesOf(launched)).toEqual([])
})

import { readdirSync, readlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SOON } from '../patience.ts'
import { type Journey, newJourney, ONE_ATTEMPT, SETTINGS, taskFile, WRITES } from './new-journey.ts'

const HANGS =
  '- { task: "*", steps: [ { write: { path: half.txt, text: half } }, { say: "hanging" }, { hang: true } ] }\n'
const BLOCKS = '- { task: "*", steps: [ { report: blocked, reason: "which colour?" } ] }\n'
const FAILS = '- { task: "*", steps: [ { write: { path: half.txt, text: half } }, { end: refused } ] }\n'

describe('exit codes', () => {
  test('1 when a task failed and others are blocked by it; retry reopens the run', async () => {
    const journey = newJourney({ 'longhaul.yaml': ONE_ATTEMPT, 'script.yaml': FAILS })
    journey.write('tasks.json', taskFile('a', 'b:a'))
    await journey.cliInProcess('import', 'tasks.json')
    const ran = await journey.cli('run')
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/blocked\n +b +blocked by a, which failed/)
    expect((await journey.status()).tasks).toMatchObject([
      { id: 'a', state: 'failed', attempts: 1, branch: 'longhaul/a-a1', commit: null, proof: null },
      { id: 'b', state: 'blocked', attempts: 0, reason: 'blocked by a, which failed' },
    ])
    expect(await journey.cli('run')).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing to do') })

    expect(await journey.cliInProcess('retry', 'b')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('b is blocked by a'),
    })
    journey.write('script.yaml', WRITES)
    expect(await journey.cliInProcess('retry', 'a')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('longhaul run'),
    })
    expect((await journey.cli('run')).code).toBe(0)
    expect((await journey.status()).tasks).toMatchObject([{ state: 'done', attempts: 2 }, { state: 'done' }])
  })

  test('3 when a person is needed, with what to do', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': BLOCKS })
    await journey.cliInProcess('add', 'a', '--title', 'A')
    const ran = await journey.cli('run')
    expect(ran).toMatchObject({ code: 3, stdout: expect.stringContaining('which colour?') })
    expect(await journey.status()).toMatchObject({ run: { state: 'waiting' }, tasks: [{ state: 'needs-person' }] })
  })

  test('3 when the budget is spent', async () => {
    const steps = '{ usage: { output: 200000 } }, { run: "echo x > $LONGHAUL_TASK.txt" }, { report: done }'
    const journey = newJourney({
      'longhaul.yaml': `budget: { run_usd: 4 }\n${SETTINGS}`,
      'script.yaml': `- { task: "*", steps: [ ${steps} ] }\n`,
    })
    journey.write('tasks.json', taskFile('a', 'b:a'))
    await journey.cliInProcess('import', 'tasks.json')
    const ran = await journey.cli('run')
    expect(ran).toMatchObject({ code: 3, stdout: expect.stringContaining("the run's budget") })
    expect((await journey.status()).totals).toMatchObject({ usd: 5, turns: 1 })
  })

  test('75 when parked with --no-wait; a later run continues', async () => {
    const journey = newJourney({
      'longhaul.yaml': SETTINGS,
      'script.yaml': `- { task: "*", round: 1, steps: [ { end: rate-limited, resetAt: "+3600" } ] }\n${WRITES}`,
    })
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const parked = await journey.cli('run', '--no-wait')
    expect(parked).toMatchObject({ code: 75, stdout: expect.stringContaining('Parked until') })
    expect(await journey.status()).toMatchObject({
      run: { state: 'parked' },
      tasks: [{ state: 'parked', attempts: 1 }],
    })
    expect((await journey.cliAhead(3_600_000, 'run')).code).toBe(0)
    expect((await journey.status()).tasks).toMatchObject([{ state: 'done', attempts: 1 }])
  })
})

describe('an engine that is running', () => {
  test('is the only one, takes new tasks, and stops on request with its work saved', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': `${HANGS.replace('"*"', 'a')}${WRITES}` })
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'half.txt')

    const second = await journey.cli('run')
    expect(second.code).toBe(2)
    expect(second.stderr).toMatch(
      new RegExp(`Process ${engine.child.pid} has been the engine of this repository since `),
    )
    expect(await journey.status()).toMatchObject({ run: { state: 'running' }, tasks: [{ state: 'running' }] })

    const added = await journey.cliInProcess('add', 'b', '--title', 'B', '--weight', 'trivial')
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('The running engine picks them up') })
    await engine.printed('landed as')
    expect(await journey.status()).toMatchObject({ tasks: [{ session: { activity: 'streaming' } }, {}] })

    expect(await journey.cli('stop')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The engine has stopped.'),
    })
    expect(await engine.ended).toMatchObject({ code: 130 })
    expect(journey.git('show', 'longhaul/a-a1:half.txt')).toBe('half')
    expect(await journey.status()).toMatchObject({
      run: { state: 'open' },
      tasks: [{ state: 'running', session: { activity: 'idle' } }, { state: 'done' }],
    })
  })

  test('stops one task on request', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': HANGS })
    await journey.cliInProcess('add', 'a', '--title', 'A')
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'half.txt')
    const fixed = await journey.cliInProcess('doctor', '--fix')
    expect(fixed).toMatchObject({ code: 0, stdout: expect.stringMatching(/note +leftovers .*nothing was fixed/) })
    expect((await journey.cli('stop', 'a')).code).toBe(0)
    expect(await engine.ended).toMatchObject({ code: 1 })
    expect((await journey.status()).tasks).toMatchObject([{ state: 'failed', reason: 'stopped by the user' }])
    expect(journey.git('show', 'longhaul/a-a1:half.txt')).toBe('half')
  })

  test('finishes rounds at the first Ctrl-C, stops them at the second, and continues later', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': HANGS })
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'half.txt')
    engine.child.kill('SIGINT')
    await engine.printed('Ctrl-C again stops them and saves')
    engine.child.kill('SIGINT')
    await engine.printed('Ctrl-C again exits immediately')
    expect(await engine.ended).toMatchObject({ code: 130, stdout: expect.stringContaining('the work is saved') })
    expect(journey.git('show', 'longhaul/a-a1:half.txt')).toBe('half')
    expect(processesIn(journey)).toEqual([])

    journey.write('script.yaml', WRITES)
    expect((await journey.cli('run')).code).toBe(0)
    expect(journey.git('show', 'refs/longhaul/landed/main:half.txt')).toBe('half')
    expect((await journey.status()).tasks).toMatchObject([{ state: 'done', attempts: 1 }])
  })

  test('ends everything immediately at the third Ctrl-C, and continues later', async () => {
    const stubborn = HANGS.replace('{ hang: true }', `{ run: "trap '' TERM; sleep 600 & wait; sleep 600" }`)
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': stubborn })
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'half.txt')
    for (const answer of ['Ctrl-C again stops them', 'Ctrl-C again exits immediately', 'Exiting immediately']) {
      engine.child.kill('SIGINT')
      await engine.printed(answer)
    }
    expect(await engine.ended).toMatchObject({ code: 130 })
    await expect.poll(() => processesIn(journey), SOON).toEqual([])
    journey.write('script.yaml', WRITES)
    expect((await journey.cli('run')).code).toBe(0)
  })

  test('saves its work at SIGTERM, and continues without a reader of its output', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': HANGS })
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'half.txt')
    engine.child.kill('SIGTERM')
    expect(await engine.ended).toMatchObject({ code: 130 })
    expect(journey.git('show', 'longhaul/a-a1:half.txt')).toBe('half')

    journey.write('script.yaml', WRITES)
    const quiet = journey.start(['run'])
    quiet.child.stdout?.destroy()
    expect(await quiet.ended).toMatchObject({ code: 0, stderr: '' })
    expect((await journey.status()).tasks).toMatchObject([{ state: 'done' }])
  })
})

test('log --follow shows what another process records', async () => {
  const journey = newJourney()
  await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
  const log = journey.start(['log', '--follow'])
  await log.printed('added: A')
  expect((await journey.cli('run')).code).toBe(0)
  await log.printed('run ended')
  log.child.kill('SIGINT')
  await log.ended
})

/** Lists processes that work in the journey's folder. */
function processesIn({ folder }: Journey): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false // gone, or not ours to see
    }
  })
}

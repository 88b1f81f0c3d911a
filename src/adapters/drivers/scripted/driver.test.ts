import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectEvents, endIn } from '../../../../test/conformance/agent-events.ts'
import { TEST_ENV, unlimited, useContainment } from '../../../../test/conformance/containments.ts'
import { REAL_CLOCK } from '../../../../test/conformance/real-clock.ts'
import { ORDER, type ScriptedWorld, scriptedWorld } from '../../../../test/conformance/scripted-world.ts'
import { problem } from '../../../core/model/problem.ts'
import type { AgentEvent, AgentRound } from '../../../ports/agent-driver.ts'
import { scriptedDriver } from './driver.ts'

const containment = await useContainment()

describe('the scripted agent', () => {
  let world: ScriptedWorld
  beforeEach(async () => {
    world = await scriptedWorld(containment)
  })
  afterEach(() => world.leave())

  const run = (...commands: string[]): AgentRound =>
    world.play(JSON.stringify([{ task: '*', steps: commands.map((command) => ({ run: command })) }]))

  test('reports each step', async () => {
    const steps = [{ say: 'hi' }, { write: { path: 'a', text: '' } }, { run: 'true' }, { wait: 0 }, { delete: 'a' }]
    const events = await collectEvents(world.play(JSON.stringify([{ task: '*', steps }])))
    expect(activities(events)).toEqual([
      'streaming',
      'streaming',
      'Write',
      'waiting',
      'Bash',
      'waiting',
      'waiting',
      'Delete',
      'waiting',
    ])
    expect(events[1]).toEqual({ kind: 'session-opened', session: ORDER.session, model: 'scripted', cli: null })
    expect(await world.read('a')).toBeNull()
  })

  test('gets the opening in a new session and the prompt in a resumed one', async () => {
    const script = '- { task: "*", steps: [] }'
    expect(said(await collectEvents(world.play(script)))).toEqual(['I was asked: Do the task.'])
    const prompt = 'Fix this.\nAll of it.'
    expect(said(await collectEvents(world.play(script, { sessionKnown: true, prompt })))).toEqual([
      'I was asked: Fix this.',
    ])
  })

  test('gets the environment that was built for it, and nothing else', async () => {
    const agent = { ...ORDER.agent, env: { API_URL: 'http://127.0.0.1:1' } }
    const script =
      '- { task: "*", steps: [ { run: "env | cut -d= -f1 | sort" }, { run: "env | grep LONGHAUL | sort" } ] }'
    const [names = '', ours] = outputs(await collectEvents(world.play(script, { agent, round: 4, phaseRound: 2 })))
    const added = ['API_URL', 'LONGHAUL_ATTEMPT', 'LONGHAUL_PHASE', 'LONGHAUL_ROUND', 'LONGHAUL_TASK']
    const seen = names.split('\n').filter((name) => !/^(PWD|OLDPWD|SHLVL|_|)$/.test(name))
    expect(seen.sort()).toEqual([...added, ...Object.keys(TEST_ENV)].sort())
    expect(ours).toBe('LONGHAUL_ATTEMPT=t1-a1\nLONGHAUL_PHASE=implement\nLONGHAUL_ROUND=4\nLONGHAUL_TASK=t1\n')
  })

  test('notes a command that fails, and continues', async () => {
    const events = await collectEvents(
      run('echo out; echo err >&2; exit 3', 'kill -9 $$', 'no-such-command', 'cat; pwd'),
    )
    expect(lines(events, 'tool-ended').map(({ note }) => note)).toEqual([
      'exit code 3',
      'ended by SIGKILL',
      'exit code 127',
      'exit code 0',
    ])
    expect(outputs(events)[0]).toMatch(/^(out\nerr\n|err\nout\n)$/)
    expect(outputs(events)[3]).toBe(`${world.folder}\n`)
    expect(endIn(events)).toMatchObject({ kind: 'ok' })
  })

  test('may say 10 MB in one line', async () => {
    const text = 'ä'.repeat(5_000_000)
    const events = await collectEvents(world.start([{ say: text }, { report: 'done' }]))
    expect(said(events)[1] === text).toBe(true)
    expect(endIn(events)).toMatchObject({ kind: 'ok', claim: { kind: 'done' } })
  })

  test('passes on a command that writes invalid UTF-8 and a lot of it', async () => {
    const events = await collectEvents(run("printf 'a\\377\\n'", 'head -c 3000000 /dev/zero'))
    expect(outputs(events)[0]).toBe('a�\n')
    expect(outputs(events)[1]).toHaveLength(3_000_000)
    expect(endIn(events)).toMatchObject({ kind: 'ok' })
  })

  test('passes on everything to a slow reader', async () => {
    const events: AgentEvent[] = []
    for await (const event of run('head -c 500000 /dev/zero').events) {
      events.push(event)
      // Long after the command's end there is still something of it on the way.
      if (event.kind === 'raw' && event.line.includes('tool-output')) await pause(250)
    }
    expect(outputs(events)[0]).toHaveLength(500_000)
  })

  test('that cannot start has crashed, with its stderr', async () => {
    const agent = { ...ORDER.agent, env: { NODE_OPTIONS: '--import=/no/such/file.mjs' } }
    const end = endIn(await collectEvents(world.play('- { task: "*", steps: [] }', { agent })))
    expect(end).toMatchObject({
      kind: 'crashed',
      detail: expect.stringMatching(/exit code 1, stderr: .*no\/such\/file/),
    })
  })

  test.each([
    ['workspace', '../out.txt', 'that path is outside the workspace.'],
    ['workspace', '/tmp/longhaul-never-written', 'that path is outside the workspace.'],
    ['workspace', 'a/../..', 'that path is outside the workspace.'],
    ['workspace', '.', 'that path is outside the workspace.'],
    ['read-only', 'a.txt', 'its access is read-only.'],
  ] as const)('with access "%s" may not write %s', async (access, path, why) => {
    const agent = { ...ORDER.agent, access }
    const events = await collectEvents(world.start([{ say: 'x' }, { write: { path, text: '' } }], { agent }))
    expect(endIn(events)).toMatchObject({ kind: 'config', detail: `Step 2 of the script would write ${path}: ${why}` })
  })

  test('with full access may write anywhere', async () => {
    const agent = { ...ORDER.agent, access: 'full' as const }
    await collectEvents(world.start([{ write: { path: '../out.txt', text: 'x' } }], { agent }))
    expect(await world.read('../out.txt')).toBe('x')
  })

  test('has crashed when it cannot write a file, and names it', async () => {
    const end = endIn(
      await collectEvents(world.start([{ write: { path: 'a', text: '' } }, { write: { path: 'a/b', text: '' } }])),
    )
    expect(end).toMatchObject({
      kind: 'crashed',
      detail: expect.stringMatching(/^Step 2 of the script could not write a\/b: Error: E/),
    })
  })

  test('counts a limit that ends "+60" from when it says so', async () => {
    const before = Date.now()
    const end = endIn(
      await collectEvents(world.play('- { task: "*", steps: [ { end: rate-limited, resetAt: "+60" } ] }')),
    )
    expect(end?.resetAt).toBeGreaterThanOrEqual(before + 60_000)
    expect(end?.resetAt).toBeLessThanOrEqual(Date.now() + 60_000)
  })

  test('is ready with a script that can be read and an environment that can be filled in', async () => {
    const missing = problem({ code: 'variable-missing', message: 'KEY is not set.', hint: 'Set it.', retry: 'person' })
    const folders = { pidFolder: () => world.pidFolder, transcriptFolder: () => world.pidFolder }
    const options = {
      ...folders,
      clock: REAL_CLOCK,
      sandbox: unlimited(containment),
      environment: {},
      scriptFolder: world.scriptFolder,
    }
    const unresolved = scriptedDriver({ ...options, resolveEnv: () => missing })
    const script = { agent: { ...ORDER.agent, script: 'script-1.yaml' } }
    expect(await world.driver.ready(script)).toMatchObject({ code: 'script-unreadable' })
    const round = world.play('- { task: a }')
    expect(await world.driver.ready(script)).toMatchObject({ code: 'script-wrong' })
    await collectEvents(round)
    await writeFile(join(world.scriptFolder, 'script-1.yaml'), '- { task: "*", steps: [ { hang: true } ] }')
    expect(await world.driver.ready(script)).toBeNull()
    expect(await unresolved.ready(script)).toBe(missing)
    const { events, ...rest } = unresolved.start({
      order: { ...ORDER, ...script },
      folder: world.folder,
      tools: null,
      form: null,
      onHostRefused() {},
    })
    expect(endIn(await collectEvents({ events, ...rest }))).toMatchObject({
      kind: 'config',
      detail: 'KEY is not set. Set it.',
    })
  })

  test('without a rule for the round, is not started', async () => {
    const events = await collectEvents(
      world.play('- { task: "x*", steps: [ { hang: true } ] }', { number: 2, phaseRound: 3 }),
    )
    const detail =
      'script-1.yaml has no rule for task t1, attempt 2, phase implement, round 3. ' +
      'Add one; a last rule with task "*" matches everything else.'
    expect(events).toEqual([{ kind: 'ended', end: { kind: 'config', detail, claim: null, resetAt: null, note: null } }])
  })

  test('with a wrong script, is not started', async () => {
    const events = await collectEvents(world.play('- { task: a }\n- { task: b }'))
    const detail =
      'script-1.yaml:1: "steps" of rule 1 is missing; it must be a list of steps. Add the key "steps". ' +
      'Correct the script script-1.yaml and start again.'
    expect(events).toEqual([{ kind: 'ended', end: { kind: 'config', detail, claim: null, resetAt: null, note: null } }])
  })
})

function activities(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.kind !== 'activity') return []
    return event.activity.kind === 'tool' ? event.activity.name : event.activity.kind
  })
}

function lines(events: readonly AgentEvent[], type: string): Record<string, unknown>[] {
  return events
    .flatMap((event) => (event.kind === 'raw' ? JSON.parse(event.line) : []))
    .filter((it) => it.type === type)
}

function said(events: readonly AgentEvent[]): unknown[] {
  return lines(events, 'say').map(({ text }) => text)
}

/** The whole output of each command. */
function outputs(events: readonly AgentEvent[]): string[] {
  const whole: string[] = []
  for (const event of events) {
    const line = event.kind === 'raw' ? JSON.parse(event.line) : {}
    if (line.type === 'tool') whole.push('')
    if (line.type === 'tool-output') whole.push(`${whole.pop() ?? ''}${line.text}`)
  }
  return whole
}

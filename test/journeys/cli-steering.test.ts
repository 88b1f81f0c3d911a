import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pauseSchema, skipSchema, steerSchema } from '../../src/index.ts'
import { SOON } from '../patience.ts'
import { type Journey, jsonLines, newJourney, ONE_ATTEMPT, SETTINGS, taskFile, WRITES } from './new-journey.ts'

/** Script whose first round waits until a file "go" exists in the journey's folder. */
function waitsFor({ folder }: Pick<Journey, 'folder'>, then: string): string {
  const wait = `touch begun; until [ -e '${join(folder, 'go')}' ]; do sleep 0.02; done`
  return `- { task: "*", round: 1, steps: [ { run: "${wait}" }, ${then} ] }\n${WRITES}`
}

describe('pause', () => {
  test('ends no round, starts none, holds for later engines, and ends with resume', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES })
    journey.write('script.yaml', waitsFor(journey, '{ report: continue }'))
    journey.write('tasks.json', taskFile('a', 'b:a'))
    await journey.cliInProcess('import', 'tasks.json')
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'begun')
    const paused = pauseSchema.parse(jsonLines(await journey.cliInProcess('pause', '--json'))[0])
    expect(paused).toMatchObject({ isPaused: true, isChanged: true, byEngine: true })
    expect(await journey.status()).toMatchObject({ run: { state: 'paused' }, tasks: [{ state: 'running' }, {}] })
    journey.write('../go', '')
    await engine.printed('waiting: the run is paused')
    expect((await journey.status()).tasks).toMatchObject([{ state: 'parked', attempts: 1 }, { state: 'waiting' }])
    engine.child.kill('SIGKILL')
    await engine.ended

    const refused = await journey.cli('run')
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining('To continue: longhaul resume') })
    expect(await journey.cliInProcess('resume')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('longhaul run'),
    })
    expect((await journey.cli('run')).code).toBe(0)
    expect((await journey.status()).tasks).toMatchObject([{ state: 'done', attempts: 1 }, { state: 'done' }])
    expect(await journey.cliInProcess('pause')).toMatchObject({ code: 2, stderr: expect.stringContaining('has ended') })
  })

  test('keeps an engine waiting until resume', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES })
    journey.write('script.yaml', waitsFor(journey, '{ report: continue }'))
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'begun')
    await journey.cliInProcess('pause')
    journey.write('../go', '')
    await engine.printed('waiting: the run is paused')
    expect(await journey.cliInProcess('resume')).toMatchObject({
      stdout: expect.stringContaining('The running engine continues.'),
    })
    expect((await engine.ended).code).toBe(0)
  })
})

test('skip leaves a task out and names the tasks that continue', async () => {
  const fails = '- { task: a, steps: [ { end: refused } ] }\n'
  const journey = newJourney({ 'longhaul.yaml': ONE_ATTEMPT, 'script.yaml': `${fails}${WRITES}` })
  journey.write('tasks.json', taskFile('a', 'b:a'))
  await journey.cliInProcess('import', 'tasks.json')
  expect((await journey.cli('run')).code).toBe(1)
  const skipped = await journey.cliInProcess('skip', 'a', '--json')
  expect(skipSchema.parse(jsonLines(skipped)[0])).toEqual({ skipped: 'a', dependents: ['b'], byEngine: false })
  expect(skipped.stderr).toContain('These tasks proceed without its work: b')
  expect((await journey.cli('run')).code).toBe(0)
  expect((await journey.status()).tasks).toMatchObject([{ state: 'skipped' }, { state: 'done' }])
  expect(await journey.cliInProcess('skip', 'nope')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no task nope'),
  })
})

describe('steer', () => {
  test('puts text into the next prompt once, even across a crash', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES })
    journey.write('script.yaml', waitsFor(journey, '{ report: continue }'))
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const before = await journey.cliInProcess('steer', 'a', 'Use tabs.', '--json')
    expect(steerSchema.parse(jsonLines(before)[0])).toEqual({ steered: 'a', number: 1, isLive: false, byEngine: false })
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'begun')
    engine.child.kill('SIGKILL')
    await engine.ended
    expect((await journey.cliInProcess('steer', 'a', 'Mind the "gap".')).code).toBe(0)
    journey.write('../go', '')
    expect((await journey.cli('run')).code).toBe(0)
    expect(promptsOf(journey).filter((prompt) => prompt.includes('Mind the "gap".'))).toHaveLength(1)
    expect((await journey.cliInProcess('log')).stdout).toContain('your message: Mind the "gap".')
    expect(await journey.cliInProcess('steer', 'a', 'Too late.')).toMatchObject({ code: 2 })
  })

  test('sends text into the running session once, even when the engine is killed afterwards', async () => {
    const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': WRITES })
    const afterSteering = '{ usage: { input: 1 } }, { write: { path: heard, text: x } }, { hang: true }'
    journey.write('script.yaml', waitsFor(journey, afterSteering))
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    const engine = journey.start(['run'])
    await journey.workspaceHas('a-a1', 'begun')
    expect(await journey.cliInProcess('steer', 'a', 'Use tabs.')).toMatchObject({
      code: 0,
      stdout: 'Message sent to the agent of a.\n',
    })
    await expect.poll(() => transcriptOf(journey), SOON).toContain('I was asked: Message')
    journey.write('../go', '')
    await journey.workspaceHas('a-a1', 'heard')
    // A later model call proves that the session got the text; before that is recorded, the text would be repeated.
    const log = async () => (await journey.cliInProcess('log', '--json')).stdout
    await expect.poll(log, SOON).toContain('"usage-observed"')
    engine.child.kill('SIGKILL')
    await engine.ended
    expect((await journey.cli('run')).code).toBe(0)
    expect((await journey.cliInProcess('log')).stdout).toContain(
      'your message 1 was sent to the running session (round 1)',
    )
    expect(
      promptsOf(journey)
        .join('\n')
        .match(/Use tabs\./g),
    ).toHaveLength(1)
  })
})

/** Transcript of the first round. */
function transcriptOf(journey: Journey): string {
  return journey.read('.git/longhaul/transcripts/a-a1/round-1.jsonl') ?? ''
}

/** Every prompt that was sent, read from the transcripts. */
function promptsOf(journey: Journey): readonly string[] {
  const folder = join(journey.repository, '.git/longhaul/transcripts')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.prompt.md'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

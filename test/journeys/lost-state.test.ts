import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHAPES } from '../../src/index.ts'
import { type Journey, newJourney, SETTINGS, taskFile, WRITES } from './new-journey.ts'

const HANGS =
  '- { task: b, attempt: 1, round: 1, steps: [ { write: { path: half.txt, text: half } }, { hang: true } ] }\n'

test('an engine whose state is moved away stays the only one, saves what it has, and continues when it is back', async () => {
  const journey = await startedJourney()
  const { engine } = journey
  const state = join(journey.repository, '.git/longhaul')
  // Stopped, it cannot notice before the others have tried.
  engine.child.kill('SIGSTOP')
  renameSync(state, `${state}-away`)
  const refused = await Promise.all([
    journey.cli('import', 'tasks.json'),
    ...Array.from({ length: 5 }, () => journey.cli('run')),
  ])
  for (const { code, stderr } of refused) {
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`Process ${engine.child.pid} is still the engine`),
    })
  }
  engine.child.kill('SIGCONT')
  const ended = await engine.ended
  expect(ended.code).toBe(3)
  expect(ended.stderr).toMatch(/state\.db was moved away or deleted while the engine was working with it/)
  expect(ended.stderr).toMatch(/Everything recorded is in .*saved-state-.*Work is saved in longhaul\/b-a1/)
  expect(journey.git('show', 'longhaul/b-a1:half.txt')).toBe('half')
  expect(asideIn(journey)).toEqual([])

  renameSync(`${state}-away`, state)
  expect((await journey.cli('run')).code).toBe(0)
  expect((await journey.status()).tasks).toMatchObject([
    { state: 'done', attempts: 1 },
    { state: 'done', attempts: 1 },
  ])
  expect(journey.git('log', '--format=%s', '--grep=^Task-Id: a$', '--first-parent', 'main').split('\n')).toHaveLength(1)
})

test('an engine leaves a file alone that was copied over its state, and says what could not be saved', async () => {
  const journey = await startedJourney()
  const { engine } = journey
  const other = newJourney()
  await other.cli('add', 'z', '--title', 'Z')
  const file = join(journey.repository, '.git/longhaul/state.db')
  const foreign = join(other.repository, '.git/longhaul/state.db')
  copyFileSync(foreign, file)
  const ended = await engine.ended
  expect(ended.code).toBe(3)
  expect(ended.stderr).toMatch(/was (overwritten by another program|truncated)/)
  expect(readFileSync(file).equals(readFileSync(foreign))).toBe(true)
  // Facts that had not reached the file yet are all there; others are mixed with the foreign ones.
  const whole = /Everything recorded is in (.*?\.db)\./.exec(ended.stderr)?.[1]
  const outcome = whole === undefined ? ended.stderr : await tasksIn(journey, file, whole)
  expect(outcome).toMatch(/could not be read any more|but it is damaged|^a done, b running$/)
})

test('after the state was deleted, recover records what landed, and an import adds only the rest', async () => {
  const journey = newJourney()
  journey.write('tasks.json', taskFile('a', 'b:a'))
  await journey.cli('add', 'a', '--title', 'Task a', '--weight', 'trivial')
  expect((await journey.cli('run')).code).toBe(0)
  rmSync(join(journey.repository, '.git/longhaul'), { recursive: true })
  const missing = expect.stringContaining('is missing, but 1 task of it landed: a.')
  expect(await journey.cliInProcess('doctor')).toMatchObject({ code: 1, stdout: expect.stringMatching(/bad +state +/) })
  for (const verb of [['import', 'tasks.json'], ['run'], ['status']])
    expect(await journey.cliInProcess(...verb)).toMatchObject({ code: 2, stderr: missing })

  const planned = await journey.cliInProcess('recover', '--dry-run', '--json')
  expect(SHAPES.recover.parse(JSON.parse(planned.stdout))).toMatchObject({
    recovered: [{ task: 'a', title: 'Task a' }],
    isDryRun: true,
  })
  expect(existsSync(join(journey.repository, '.git/longhaul/state.db'))).toBe(false)
  expect(await journey.cliInProcess('recover')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 task recorded as done'),
  })
  expect(await journey.cliInProcess('import', 'tasks.json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 task added, 1 task unchanged'),
  })
  expect((await journey.cli('run')).code).toBe(0)
  expect((await journey.status()).tasks).toMatchObject([
    { id: 'a', state: 'done', proof: 'none' },
    { id: 'b', state: 'done' },
  ])
  expect(journey.git('log', '--format=%s', '--grep=^Task-Id: a$', '--first-parent', 'main').split('\n')).toHaveLength(1)
})

/** Starts an engine that has landed a and hangs in the first round of b. */
async function startedJourney() {
  const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': `${HANGS}${WRITES}` })
  journey.write('tasks.json', taskFile('a', 'b:a'))
  await journey.cli('import', 'tasks.json')
  const engine = journey.start(['run'])
  await journey.workspaceHas('b-a1', 'half.txt')
  return { ...journey, engine }
}

/** Lists workspaces that were set aside. */
function asideIn({ env }: Pick<Journey, 'env'>): readonly string[] {
  return readdirSync(join(env.XDG_STATE_HOME ?? '', 'longhaul')).filter((name) => name.includes('.before-'))
}

/** Puts a saved state back and lists its tasks. */
async function tasksIn(journey: Journey, file: string, saved: string): Promise<string> {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
  copyFileSync(saved, file)
  return (await journey.status()).tasks.map(({ id, state }) => `${id} ${state}`).join(', ')
}

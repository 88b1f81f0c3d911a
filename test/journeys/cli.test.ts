import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventSchema, importSchema, statusSchema } from '../../src/index.ts'
import { jsonLines, newJourney, ONE_ATTEMPT, SETTINGS, taskFile, WRITES } from './new-journey.ts'

test('a task file is imported, worked through, landed and reported', async () => {
  const journey = newJourney()
  journey.write('tasks.json', taskFile('a', 'b:a', 'c:a'))

  const imported = await journey.cli('import', 'tasks.json', '--json')
  expect(imported).toMatchObject({ code: 0, stderr: '' })
  expect(importSchema.parse(jsonLines(imported)[0])).toMatchObject({ added: 3, changed: 0, unchanged: 0 })
  expect((await journey.status()).run).toMatchObject({ state: 'open', targetBehind: false })

  journey.commit('tasks')
  const ran = await journey.cli('run')
  expect(ran.code).toBe(0)
  expect(ran.stdout).toMatch(/a +landed as [0-9a-f]{10}; proof: gates: tests/)
  expect(ran.stdout).toMatch(/Run \S+: 3 done/)
  expect(ran.stdout).toContain('main has everything that landed.')
  expect(journey.read('c.txt')).toBe('c\n')
  expect(journey.git('status', '--porcelain')).toBe('')

  const status = await journey.cli('status', '--json')
  const report = statusSchema.parse(jsonLines(status)[0])
  expect(report.run?.state).toBe('ended')
  expect(
    report.tasks.map(({ id, state, attempts, branch, proof }) => ({ id, state, attempts, branch, proof })),
  ).toEqual(
    ['a', 'b', 'c'].map((id) => ({
      id,
      state: 'done',
      attempts: 1,
      branch: null,
      proof: 'gates: tests (canary: none)',
    })),
  )
  for (const { commit } of report.tasks) journey.git('merge-base', '--is-ancestor', String(commit), 'main')
  expect((await journey.cli('status')).stdout).toContain(`State: ${journey.repository}/.git/longhaul`)

  const log = jsonLines(await journey.cli('log', '--json')).map((event) => eventSchema.parse(event))
  expect(log.filter(({ kind }) => kind === 'landed')).toHaveLength(3)
  const ofB = jsonLines(await journey.cli('log', '--json', '--task', 'b'))
  expect(ofB.filter(({ kind }) => kind === 'landed')).toHaveLength(1)
  expect((await journey.cli('log')).stdout).toMatch(/b-a1 {14}started in slot \d of 3 \(a landed\)/)
})

test('run --json prints every event once, in order, and then the status', async () => {
  const journey = newJourney()
  journey.write('tasks.json', taskFile('a', 'b'))
  await journey.cliInProcess('import', 'tasks.json')
  const before = jsonLines(await journey.cliInProcess('log', '--json')).length
  const ran = await journey.cli('run', '--json')
  expect(ran.code).toBe(0)
  const lines = jsonLines(ran)
  expect(statusSchema.parse(lines.at(-1)).run?.state).toBe('ended')
  expect(lines.slice(0, -1)).toEqual(jsonLines(await journey.cliInProcess('log', '--json')).slice(before))
})

test('importing again changes tasks that have not started, and refuses others by name', async () => {
  const script = `- { task: b, steps: [ { end: refused } ] }\n${WRITES}`
  const journey = newJourney({ 'longhaul.yaml': ONE_ATTEMPT, 'script.yaml': script })
  await journey.cliInProcess('add', 'a', '--title', 'First', '--weight', 'trivial')
  const again = await journey.cliInProcess('add', 'a', '--title', 'Better', '--weight', 'trivial', '--json')
  expect(jsonLines(again)[0]).toMatchObject({ added: 0, changed: 1, unchanged: 0 })
  const same = await journey.cliInProcess('add', 'a', '--title', 'Better', '--weight', 'trivial', '--json')
  expect(jsonLines(same)[0]).toMatchObject({ added: 0, changed: 0, unchanged: 1 })
  await journey.cliInProcess('add', 'b', '--title', 'Blocks', '--weight', 'trivial')
  expect((await journey.cli('run')).code).toBe(1)
  await journey.cliInProcess('retry', 'b')
  const late = await journey.cliInProcess('add', 'a', '--title', 'Too late')
  expect(late).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a cannot be changed: work has started'),
  })
})

test('a second run of the same task continues counting attempts', async () => {
  const journey = newJourney()
  await journey.cliInProcess('add', 'a', '--title', 'Once', '--weight', 'trivial')
  expect((await journey.cli('run')).code).toBe(0)
  journey.write('script.yaml', '- { task: "*", steps: [ { run: "echo again > again.txt" }, { report: done } ] }\n')
  journey.commit()
  await journey.cliInProcess('add', 'a', '--title', 'Twice', '--weight', 'trivial')
  const ran = await journey.cli('run')
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('a-a2') })
  const nothing = await journey.cli('run')
  expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do: run') })
})

test('leftovers of an engine that was killed after the last task are removed by the next run', async () => {
  const journey = newJourney()
  await journey.cliInProcess('add', 'a', '--title', 'Once', '--weight', 'trivial')
  expect((await journey.cli('run')).code).toBe(0)
  const state = join(journey.env.XDG_STATE_HOME ?? '', 'longhaul')
  const left = join(state, readdirSync(state)[0] ?? 'none', 'check+out-l1')
  mkdirSync(join(left, 'tree'), { recursive: true })
  expect((await journey.cli('run')).code).toBe(0)
  expect(existsSync(left)).toBe(false)
})

test('a target with uncommitted changes stays behind and follows with the next run', async () => {
  const journey = newJourney()
  await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
  journey.write('longhaul.yaml', `${SETTINGS}# an edit of my own\n`)
  const ran = await journey.cli('run')
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('main is behind what landed') })
  expect(journey.read('a.txt')).toBe(null)
  expect((await journey.status()).run).toMatchObject({ state: 'ended', targetBehind: true })
  journey.commit('my edit')
  expect((await journey.cli('run')).code).toBe(0)
  expect(journey.read('a.txt')).toBe('a\n')
  expect((await journey.status()).run?.targetBehind).toBe(false)
})

test('gates: [] lands without proof and says so; a failing baseline is reported before any work', async () => {
  const journey = newJourney({ 'longhaul.yaml': SETTINGS.replace(/gates.*/, 'gates: []'), 'script.yaml': WRITES })
  await journey.cliInProcess('add', 'a', '--title', 'A')
  const ran = await journey.cli('run')
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('proof: none') })
  expect((await journey.status()).tasks[0]?.proof).toBe('none')

  const red = newJourney({
    'longhaul.yaml': SETTINGS,
    'script.yaml': WRITES.replace('echo', 'rm -f red; echo'),
    red: '',
  })
  await red.cliInProcess('add', 'a', '--title', 'A')
  expect((await red.cli('run')).stdout).toMatch(/baseline checks FAILED on [0-9a-f]{10}: tests: /)
})

test('status and log without a run say so and create nothing', async () => {
  const journey = newJourney()
  const status = await journey.cliInProcess('status', '--json')
  expect(status.code).toBe(0)
  expect(statusSchema.parse(jsonLines(status)[0]).run).toBe(null)
  expect((await journey.cliInProcess('log')).stdout).toContain('No events yet')
  expect((await journey.cli('stop')).stdout).toContain('No engine is running in this repository.')
  expect(journey.git('status', '--porcelain', '--ignored')).toBe('')
  expect(journey.read('.git/longhaul')).toBe(null)
})

test('state that is empty or no folder is reported, not taken for new', async () => {
  const journey = newJourney()
  journey.write('.git/longhaul', 'a file')
  const wrong = await journey.cliInProcess('add', 'a', '--title', 'A')
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('longhaul is a file, but the state needs a') })
  rmSync(join(journey.repository, '.git/longhaul'))
  journey.write('.git/longhaul/transcripts/a-a1/1.jsonl', '')
  journey.write('.git/longhaul/state.db', '')
  const empty = await journey.cliInProcess('status')
  expect(empty).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('state.db is empty, although there has been'),
  })
})

test('the first run of the README: init, add, run', async () => {
  const journey = newJourney({ 'package.json': '{ "scripts": { "test": "node --test" } }' })
  const dry = await journey.cli('init', '--driver', 'scripted', '--preset', 'safe', '--dry-run')
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^preset: safe .*\n/m) })
  expect(journey.read('longhaul.yaml')).toBe(null)
  const python = await journey.cliInProcess('init', '--preset', 'python', '--dry-run', '--json')
  expect(jsonLines(python)).toMatchObject([{ unignored: ['.venv'] }])

  const first = await journey.cli('init', '--driver', 'scripted')
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('check "tests": npm test') })
  const written = journey.read('longhaul.yaml')
  expect(written).toContain('# yaml-language-server: $schema=.git/longhaul/settings.schema.json')
  expect(JSON.parse(journey.read('.git/longhaul/settings.schema.json') ?? '')).toMatchObject({ type: 'object' })
  const second = await journey.cli('init', '--json')
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') })
  expect(journey.read('longhaul.yaml')).toBe(written)

  journey.commit()
  await journey.cli('add', 'hello', '--title', 'Say hello')
  expect((await journey.cli('run')).code).toBe(0)
  expect(journey.read('hello.txt')).toBe('hello was here\n')
})

test('config shows where each setting comes from, and reports all errors together', async () => {
  const journey = newJourney()
  const shown = await journey.cliInProcess('config', 'show', '--source', '--parallel', '4')
  expect(shown.code).toBe(0)
  expect(shown.stdout).toContain('  parallel: 4 # --parallel\n')
  expect(shown.stdout).toContain('  driver: scripted # longhaul.yaml:1\n')
  journey.write('roles.yaml', 'gates: []\nroles: { tester: { model: haiku } }\n')
  expect(await journey.cliInProcess('config', 'validate', 'roles.yaml')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('roles.tester has no effect: no phase has the role tester.'),
  })
  journey.write('other.yaml', 'agnet: {}\nturns: { preset: lean, min: 1 }\ntime: { response: 5 }\n')
  const wrong = await journey.cliInProcess('config', 'validate', 'other.yaml')
  expect(wrong.code).toBe(2)
  expect(wrong.stderr.match(/other\.yaml:\d: .*/g)).toEqual([
    'other.yaml:1: unknown key "agnet".',
    'other.yaml:2: turns.min must be at least 3 for lean; got 1.',
    'other.yaml:3: time.response must be a number of seconds from 60 to 2000000; got 5.',
  ])
  expect((await journey.cliInProcess('config', 'explain', 'limits.paralel')).stderr).toContain(
    'Did you mean limits.parallel?',
  )
})

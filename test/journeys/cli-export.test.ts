import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportSchema, importRunSchema } from '../../src/index.ts'
import { type Journey, jsonLines, newJourney, SETTINGS, taskFile, WRITES } from './new-journey.ts'

const HANGS = '- { task: b, steps: [ { write: { path: half.txt, text: half } }, { hang: true } ] }\n'

test('a run moves to another clone as plain files and continues there', async () => {
  const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': `${HANGS}${WRITES}` })
  journey.write('tasks.json', taskFile('a', 'b:a'))
  await journey.cliInProcess('import', 'tasks.json')
  journey.commit('tasks')
  const engine = journey.start(['run'])
  await journey.workspaceHas('b-a1', 'half.txt')
  const folder = join(journey.folder, 'exported run')
  expect(await journey.cliInProcess('export', folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('longhaul stop'),
  })
  await journey.cli('stop')
  await engine.ended
  await journey.cliInProcess('steer', 'b', 'Use tabs.')
  const written = await journey.cliInProcess('export', folder, '--transcripts', '--json')
  expect(exportSchema.parse(jsonLines(written)[0])).toMatchObject({ folder, ledgers: 3 })
  expect(await journey.cliInProcess('export', folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already'),
  })
  expect(await journey.cliInProcess('import', folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already in this'),
  })

  const other = cloneOf(journey)
  const there = (...args: readonly string[]) => journey.start(args, other).ended
  const lacking = await there('import', folder)
  expect(lacking).toMatchObject({ code: 2, stderr: expect.stringContaining('(the work of b-a1)') })
  const fetch = /git fetch .*$/m.exec(lacking.stderr)?.[0] ?? ''
  inShell(journey, other, fetch)

  for (const [damage, message] of Object.entries({ changed: 'facts.jsonl has been changed', newer: 'has version 2' })) {
    const copy = join(journey.folder, damage)
    cpSync(folder, copy, { recursive: true })
    const [file, from, to] =
      damage === 'changed' ? ['facts.jsonl', 'Task a', 'Task A'] : ['export.json', '": 1,', '": 2,']
    writeFileSync(join(copy, file), readFileSync(join(copy, file), 'utf8').replace(from, to))
    expect(await there('import', copy)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  }

  const taken = await there('import', folder, '--json')
  expect(importRunSchema.parse(jsonLines(taken)[0])).toMatchObject({ settings: 'same' })
  const [here, copied] = [await journey.cliInProcess('log', '--json'), await there('log', '--json')]
  expect(copied.stdout).toBe(here.stdout)
  expect((await there('show', 'a', '--json')).stdout).toBe((await journey.cliInProcess('show', 'a', '--json')).stdout)

  writeFileSync(join(other, 'script.yaml'), WRITES)
  expect((await there('run')).code).toBe(0)
  const files = inShell(journey, other, 'git ls-tree --name-only refs/longhaul/landed/main')
  expect(files.split('\n')).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'half.txt']))
  expect((await journey.status()).tasks).toMatchObject([{ state: 'done' }, { state: 'running' }])
})

test('an earlier run, or all of them, are exported and imported with every event', async () => {
  const journey = newJourney()
  for (const task of ['a', 'b']) {
    await journey.cliInProcess('add', task, '--title', task, '--weight', 'trivial')
    expect((await journey.cli('run')).code).toBe(0)
  }
  const exported = async (name: string, ...options: readonly string[]) => {
    const written = await journey.cliInProcess('export', join(journey.folder, name), '--json', ...options)
    return exportSchema.parse(jsonLines(written)[0])
  }
  const { runs } = await exported('all', '--all')
  const [first = '', second = ''] = runs
  expect(await exported('current')).toMatchObject({ runs: [second] })
  expect(await exported('first', '--run', first)).toMatchObject({ runs: [first], ledgers: 2 })
  expect(await journey.cliInProcess('export', '../x', '--run', 'r9')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`There are: ${first}, ${second}.`),
  })

  const other = cloneOf(journey)
  const there = (...args: readonly string[]) => journey.start(args, other).ended
  expect((await there('import', join(journey.folder, 'first'))).stdout).toContain(`Imported run ${first}`)
  expect(JSON.parse((await there('status', '--json')).stdout).tasks).toMatchObject([{ id: 'a', state: 'done' }])
  expect((await there('import', join(journey.folder, 'all'))).stdout).toContain('Imported 2 runs')
  expect((await there('log', '--json')).stdout).toBe((await journey.cliInProcess('log', '--json')).stdout)
  expect((await there('doctor', '--deep')).stdout).toContain('match their checksums')
})

test('a run cannot be imported where another run is open', async () => {
  const journey = newJourney()
  await journey.cliInProcess('add', 'a', '--title', 'A')
  const folder = join(journey.folder, 'exported')
  expect((await journey.cliInProcess('export', folder)).code).toBe(0)
  const other = cloneOf(journey)
  await journey.start(['add', 'z', '--title', 'Z'], other).ended
  const refused = await journey.start(['import', folder], other).ended
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is open in this repository') })
  expect(await journey.cliInProcess('import', journey.folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not an exported run'),
  })
})

/** Creates a clone that has only main. */
function cloneOf(journey: Journey): string {
  const folder = join(journey.folder, 'other')
  journey.git('clone', '--quiet', '--no-local', '--single-branch', journey.repository, folder)
  inShell(journey, folder, 'git config user.name Other && git config user.email other@example.org')
  return folder
}

function inShell({ env }: Journey, cwd: string, command: string): string {
  return execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportSchema, importRunSchema } from '../../src/index.ts'
import { type Journey, jsonLines, newJourney, SETTINGS, taskFile, WRITES } from './kit.ts'

const HANGS = '- { task: b, steps: [ { write: { path: half.txt, text: half } }, { hang: true } ] }\n'

test('a run goes from one clone to another as plain files, and goes on there', async () => {
  const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': `${HANGS}${WRITES}` })
  journey.write('tasks.json', taskFile('a', 'b:a'))
  await journey.here('import', 'tasks.json')
  journey.commit('tasks')
  const engine = journey.start(['run'])
  await journey.written('b-a1', 'half.txt')
  const folder = join(journey.folder, 'exported run')
  expect(await journey.here('export', folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('longhaul stop'),
  })
  await journey.cli('stop')
  await engine.ended
  await journey.here('steer', 'b', 'Use tabs.')
  const written = await journey.here('export', folder, '--transcripts', '--json')
  expect(exportSchema.parse(jsonLines(written)[0])).toMatchObject({ folder, ledgers: 3 })
  expect(await journey.here('export', folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('already') })
  expect(await journey.here('import', folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('is in this') })

  const other = cloneOf(journey)
  const there = (...args: readonly string[]) => journey.start(args, other).ended
  const lacking = await there('import', folder)
  expect(lacking).toMatchObject({ code: 2, stderr: expect.stringContaining('(the work of b-a1)') })
  const fetch = /git fetch .*$/m.exec(lacking.stderr)?.[0] ?? ''
  inShell(journey, other, fetch)

  for (const [damage, told] of Object.entries({ changed: 'facts.jsonl has been changed', newer: 'has version 2' })) {
    const copy = join(journey.folder, damage)
    cpSync(folder, copy, { recursive: true })
    const [file, from, to] =
      damage === 'changed' ? ['facts.jsonl', 'Task a', 'Task A'] : ['export.json', '": 1,', '": 2,']
    writeFileSync(join(copy, file), readFileSync(join(copy, file), 'utf8').replace(from, to))
    expect(await there('import', copy)).toMatchObject({ code: 2, stderr: expect.stringContaining(told) })
  }

  const taken = await there('import', folder, '--json')
  expect(importRunSchema.parse(jsonLines(taken)[0])).toMatchObject({ settings: 'same' })
  const [here, copied] = [await journey.here('log', '--json'), await there('log', '--json')]
  expect(copied.stdout).toBe(here.stdout)
  expect((await there('show', 'a', '--json')).stdout).toBe((await journey.here('show', 'a', '--json')).stdout)

  writeFileSync(join(other, 'script.yaml'), WRITES)
  expect((await there('run')).code).toBe(0)
  const files = inShell(journey, other, 'git ls-tree --name-only refs/longhaul/landed/main')
  expect(files.split('\n')).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'half.txt']))
  expect((await journey.status()).tasks).toMatchObject([{ state: 'done' }, { state: 'running' }])
})

test('a run is not taken in where another is open', async () => {
  const journey = newJourney()
  await journey.here('add', 'a', '--title', 'A')
  const folder = join(journey.folder, 'exported')
  expect((await journey.here('export', folder)).code).toBe(0)
  const other = cloneOf(journey)
  await journey.start(['add', 'z', '--title', 'Z'], other).ended
  const refused = await journey.start(['import', folder], other).ended
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is open in this repository') })
  expect(await journey.here('import', journey.folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not an exported run'),
  })
})

/** A clone that has main and nothing else. */
function cloneOf(journey: Journey): string {
  const folder = join(journey.folder, 'other')
  journey.git('clone', '--quiet', '--no-local', '--single-branch', journey.repository, folder)
  inShell(journey, folder, 'git config user.name Other && git config user.email other@example.org')
  return folder
}

function inShell({ env }: Journey, cwd: string, command: string): string {
  return execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

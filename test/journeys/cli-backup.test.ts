import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { backupSchema, doctorSchema, restoreSchema } from '../../src/index.ts'
import { type Journey, jsonLines, newJourney, SETTINGS, taskFile, WRITES } from './new-journey.ts'

const HANGS = '- { task: b, steps: [ { write: { path: half.txt, text: half } }, { hang: true } ] }\n'

test('a backup of a running engine brings back a run whose state is damaged', async () => {
  const journey = newJourney({ 'longhaul.yaml': SETTINGS, 'script.yaml': `${HANGS}${WRITES}` })
  journey.write('tasks.json', taskFile('a', 'b:a'))
  await journey.cliInProcess('import', 'tasks.json')
  const engine = journey.start(['run'])
  await journey.workspaceHas('b-a1', 'half.txt')
  const file = join(journey.folder, 'a copy.db')
  const written = await journey.cliInProcess('backup', file, '--json')
  expect(backupSchema.parse(jsonLines(written)[0])).toMatchObject({ file, runs: 1 })
  expect(await journey.cliInProcess('backup', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('exists'),
  })
  expect(await journey.cliInProcess('import', file)).toMatchObject({ code: 2, stderr: expect.stringContaining('stop') })
  await journey.cli('stop')
  await engine.ended
  expect(await journey.cliInProcess('import', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not empty'),
  })

  flipBit(journey)
  const named = expect.stringMatching(/event \d+ of run\/\S+ \("task-added"\) does not match its checksum/)
  for (const verb of [['status'], ['show', 'a'], ['run'], ['export', '../out'], ['backup'], ['log']]) {
    expect(await journey.cliInProcess(...verb)).toMatchObject({ code: 2, stderr: named })
  }
  const examined = await journey.cliInProcess('doctor', '--deep', '--json')
  const { checks } = doctorSchema.parse(jsonLines(examined)[0])
  expect(examined.code).toBe(1)
  expect(checks.filter(({ name }) => name === 'facts').map(({ message }) => message)).toEqual([
    named,
    expect.stringContaining('cannot be trusted'),
  ])

  const state = join(journey.repository, '.git/longhaul')
  renameSync(state, `${state}.damaged`)
  const restored = await journey.cliInProcess('import', file, '--json')
  expect(restoreSchema.parse(jsonLines(restored)[0])).toMatchObject({ restored: file, runs: 1, landedSince: [] })
  journey.write('script.yaml', WRITES)
  expect(await journey.cli('run')).toMatchObject({ code: 0 })
  expect((await journey.status()).tasks).toMatchObject([{ state: 'done' }, { state: 'done' }])
  expect((await journey.cliInProcess('doctor', '--deep')).stdout).toContain('match their checksums')
})

test.each([
  ['an empty file', '', 'empty.db'],
  ['a truncated backup', 'SQLite format 3\0 and then nothing', 'is damaged'],
])('%s is not restored, and no state is created', async (_, content, message) => {
  const journey = newJourney()
  const file = join(journey.folder, 'empty.db')
  writeFileSync(file, content)
  expect(await journey.cliInProcess('import', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  })
  expect(existsSync(join(journey.repository, '.git/longhaul/state.db'))).toBe(false)
})

/** Flips one bit in the title of a task, as a failing disk does. */
function flipBit(journey: Journey): void {
  const db = new DatabaseSync(join(journey.repository, '.git/longhaul/state.db'))
  db.exec(`UPDATE events SET body = replace(body, 'Task a', 'Task c') WHERE body ->> '$.kind' = 'task-added'`)
  db.close()
}

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHAPES } from '../../src/index.ts'
import { newJourney, taskFile } from './new-journey.ts'

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

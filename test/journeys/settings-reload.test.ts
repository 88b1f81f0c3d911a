import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jsonLines, newJourney, SETTINGS, taskFile, WRITES } from './new-journey.ts'

test('edits of longhaul.yaml are followed while the engine runs: a bad one is reported once, a good one adopted', async () => {
  const journey = newJourney()
  const signal = join(journey.repository, '.git/go')
  const waits = `- { task: a, round: 1, steps: [ { run: "until [ -e '${signal}' ]; do sleep 0.05; done" } ] }\n`
  journey.write('script.yaml', `${waits}${WRITES}`)
  journey.write('tasks.json', taskFile('a', 'b:a'))
  await journey.cliInProcess('import', 'tasks.json')
  const engine = journey.start(['run', '--parallel', '2'])
  await engine.printed('round 1 (implement) started')

  journey.write('longhaul.yaml', `${SETTINGS}tims: { task: 9000 }\n`)
  await engine.printed(/changed settings were not adopted, .*longhaul\.yaml.*tims/)
  journey.write('longhaul.yaml', SETTINGS.replace(/gates:.*\n/, ''))
  await engine.printed(/changed settings were not adopted, .*No checks are configured/)
  journey.write('longhaul.yaml', `target: elsewhere\ntime: { task: 9000 }\n${SETTINGS.replace(/gates:.*/, GATE)}`)
  await engine.printed(
    /settings changed: target, time.task, gates; target cannot change within a run and stays as it was/,
  )
  journey.write('.git/go', '')
  expect(await engine.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('proof: gates: file') })

  const log = jsonLines(await journey.cliInProcess('log', '--json'))
  expect(log.filter(({ kind }) => kind === 'settings-rejected')).toHaveLength(2)
  expect(log).toContainEqual(
    expect.objectContaining({ kind: 'message-received', ledger: expect.stringContaining('a-a1') }),
  )
})

const GATE = 'gates: [ { name: file, run: test -e a.txt, canary: never } ]'

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { landedTasks } from './backlogs.ts'
import { type Journey, waitUntil } from './journey.ts'
import { newJourney, ONE_ATTEMPT } from './new-journey.ts'

const EIGHT_DAYS_MS = 8 * 24 * 3_600_000

test('an engine works and ends while a leftover workspace takes forever to remove; the next one removes it', async () => {
  const script = `- { task: bad, steps: [ { write: { path: red, text: red } }, { report: done } ] }
- { task: "*", steps: [ { run: "echo $LONGHAUL_TASK > $LONGHAUL_TASK.txt" }, { report: done } ] }
`
  const journey = newJourney({
    'longhaul.yaml': ONE_ATTEMPT,
    'script.yaml': script,
    '.gitattributes': '*.slow filter=slow\n',
  })
  const hold = join(journey.folder, 'hold')
  // A workspace keeps the filters that the user had when it was made.
  journey.git('config', 'filter.slow.clean', `[ ! -e '${hold}' ] || sleep 1000; cat`)
  await addTask(journey, 'bad')
  expect((await journey.cli('run')).code).toBe(1)
  const workspace = join(workspacesHome(journey), 'bad-a1')
  writeFileSync(join(workspace, 'tree/late.slow'), 'late\n')
  writeFileSync(hold, '')
  await addTask(journey, 'good')
  expect((await journey.cliAhead(EIGHT_DAYS_MS, 'run')).code).toBe(0)
  expect(landedTasks(journey)).toEqual(['good'])
  expect(existsSync(workspace)).toBe(true)

  rmSync(hold)
  await addTask(journey, 'better')
  expect((await journey.cliAhead(EIGHT_DAYS_MS, 'run')).code).toBe(0)
  expect(journey.git('show', 'refs/longhaul/salvage/bad-a1:late.slow')).toBe('late')
  expect(existsSync(workspace)).toBe(false)
})

test('stop reaches an engine that is still starting, which then starts no work', async () => {
  const held = 'case "$*" in *"blame --porcelain"*) while [ -e "$HOME/hold" ]; do : > "$HOME/held"; done;; esac'
  const journey = newJourney(undefined, { programs: { git: `${held}\nexec /usr/bin/git "$@"` } })
  await addTask(journey, 'a')
  const [hold, isHeld] = [join(journey.env.HOME ?? '', 'hold'), join(journey.env.HOME ?? '', 'held')]
  writeFileSync(hold, '')
  const engine = journey.start(['run'])
  await waitUntil('the engine to look who wrote its settings', () => existsSync(isHeld))
  const stop = journey.start(['stop'])
  await stop.printed(`Stopping the engine (pid ${engine.child.pid})`)
  rmSync(hold)
  expect(await stop.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('The engine has stopped.') })
  expect(await engine.ended).toMatchObject({ code: 130 })
  expect(await journey.status()).toMatchObject({ tasks: [{ id: 'a', state: 'ready', attempts: 0 }] })
  expect((await journey.cli('run')).code).toBe(0)
})

async function addTask(journey: Journey, task: string): Promise<void> {
  const added = await journey.cliInProcess('add', task, '--title', task, '--weight', 'trivial')
  expect(added).toMatchObject({ code: 0 })
}

function workspacesHome({ env }: Journey): string {
  const homes = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  return join(homes, readdirSync(homes).find((name) => !name.includes('.lease')) ?? '')
}

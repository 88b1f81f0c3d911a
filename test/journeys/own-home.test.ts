import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newJourney, SETTINGS, taskFile } from './new-journey.ts'

const SCRIPT = `
- task: first
  steps:
    - { run: 'echo planted > "$npm_config_cache/_cacache/from-agent"; mkdir "$npm_config_cache/_npx"; touch "$HOME/mine"' }
    - { run: 'git config --global user.email > first.txt' }
    - { report: done }
- task: second
  steps:
    - { run: 'ls -A "$npm_config_cache" "$npm_config_cache/_cacache" "$HOME" > second.txt' }
    - { report: done }
`

// Fails where setup or a check sees what an agent put into a cache.
const BLIND = 'test ! -e "$npm_config_cache/_cacache/from-agent" && test ! -e "$HOME/.npm/_cacache/from-agent"'

test('agents share downloaded packages, and neither a home nor anything with setup and checks', async () => {
  const settings = SETTINGS.replace(/gates:.*/, `gates: [ { name: blind, run: '${BLIND}', canary: never } ]`)
  const setup = `workspace: { setup: [ '${BLIND} && touch "$npm_config_cache/_cacache/from-setup"' ] }\n`
  const journey = newJourney({ 'longhaul.yaml': `${settings}${setup}`, 'script.yaml': SCRIPT }, { sandbox: 'standard' })
  journey.write('tasks.json', taskFile('first', 'second: first'))
  await journey.cliInProcess('import', 'tasks.json')
  expect(await journey.cli('run')).toMatchObject({ code: 0 })
  expect(journey.read('first.txt')).toBe('user@example.org\n')
  expect(journey.read('second.txt')).toContain('from-agent')
  expect(journey.read('second.txt')).not.toMatch(/_npx|from-setup|mine/)

  const state = join(journey.env.XDG_STATE_HOME ?? '', 'longhaul')
  const caches = join(state, readdirSync(state)[0] ?? '', '.caches')
  expect(readdirSync(caches).sort()).toEqual(['setup', 'work'])
  expect((await journey.cli('gc', '--yes')).stdout).toBe('Nothing to free.\n')
  expect((await journey.cli('gc', '--caches')).stdout).toMatch(/cache .*setup.*\n.*cache .*work/)
  expect((await journey.cli('gc', '--caches', '--yes')).stdout).toContain('Freed 2 of 2')
  expect(readdirSync(caches)).toEqual([])
})

import { expect, test } from 'vitest'
import { type Journey, newJourney, ONE_ATTEMPT } from './new-journey.ts'

/** Runs a task with these verify commands; the agent writes a.txt. */
async function runTask(...verify: readonly string[]): Promise<{ readonly journey: Journey; readonly output: string }> {
  const journey = newJourney()
  journey.write('longhaul.yaml', ONE_ATTEMPT)
  journey.write('red.test.js', "require('node:test').test('is built', () => require('./missing.js'))\n")
  journey.write('tasks.yaml', JSON.stringify({ tasks: [{ id: 'a', title: 'A', verify }] }))
  journey.commit('project')
  await journey.cliInProcess('import', 'tasks.yaml')
  const { stdout, stderr } = await journey.cli('run')
  return { journey, output: `${stdout}${stderr}` }
}

const GREEN = 'test -f red.test.js'
const WARNING = `verify proves nothing by itself: "${GREEN}" passed before any work`

test('a verify command that passes before any work is reported to the user and to the agent, and lands', async () => {
  const { journey, output } = await runTask(GREEN, 'test -f a.txt')
  expect(output).toContain(WARNING)
  expect(output.indexOf(WARNING)).toBeLessThan(output.indexOf('round 1 (implement) started'))
  const { stdout: log } = await journey.cliInProcess('log')
  expect(log).toContain(WARNING)
  expect(await journey.status()).toMatchObject({ tasks: [{ state: 'done', attempts: 1, alreadyGreen: [GREEN] }] })
  const { stdout: status } = await journey.cliInProcess('status')
  expect(status).toContain(`verify passed before any work: ${GREEN}`)
  const { stdout: story } = await journey.cliInProcess('show', 'a')
  expect(story).toContain(`- ${GREEN} (already passed before the work)\n  - test -f a.txt\n`)
  const { stdout: prompt } = await journey.cliInProcess('show', 'a', '--prompt')
  expect(prompt).toMatch(/already pass before your work.*\n- test -f red\.test\.js\n\n/)
}, 60_000)

test('a verify command that fails before the work is not excused by that', async () => {
  const { journey, output } = await runTask('node --test red.test.js')
  expect(output).not.toContain('proves nothing')
  expect(await journey.status()).toMatchObject({ tasks: [{ state: 'failed', alreadyGreen: [] }] })
}, 60_000)

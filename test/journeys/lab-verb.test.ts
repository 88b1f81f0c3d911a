import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newJourney } from './new-journey.ts'

const SCENARIO = `
rules:
  - task: greet
    round: 1
    steps:
      - write: { path: greet.txt, text: "helo\\n" }
      - report: done
  - match: our checks found problems
    steps:
      - edit: { path: greet.txt, old: helo, new: hello }
      - report: done
`

const AGENT = /agent: \{ .* \} \}/

test('a run can be rehearsed with the real agent against a lab started by hand', async () => {
  const journey = newJourney({ 'scenario.yaml': SCENARIO })
  const lab = journey.start(['lab', 'scenario.yaml', '--record', '../requests.jsonl'])
  let output = ''
  lab.child.stdout?.on('data', (text) => {
    output += text
  })
  await lab.printed(AGENT)
  const agent = AGENT.exec(output)?.[0] ?? ''
  journey.write('longhaul.yaml', `${agent}\ngates: [ { name: greets, run: grep -q hello greet.txt } ]\n`)
  journey.write('tasks.yaml', 'tasks: [ { id: greet, title: Greet } ]\n')
  journey.commit('settings from the lab')
  await journey.cliInProcess('import', 'tasks.yaml')
  expect(await journey.cli('run')).toMatchObject({ code: 0 })
  expect(journey.read('greet.txt')).toBe('hello\n')

  lab.child.kill('SIGINT')
  const { code, stdout } = await lab.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/ greet-a1 session 1 round 1 rule 1 step 1: Write .* tokens sent/)
  expect(stdout).toMatch(/ greet-a1 session 1 round 2 rule 2 step 2: said "<phase_complete>"/)
  const recorded = readFileSync(join(journey.folder, 'requests.jsonl'), 'utf8').trim().split('\n')
  expect(recorded.map((line) => JSON.parse(line)).map(({ rule, step }) => [rule, step])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
    // A review without a rule in the scenario passes the work.
    [null, null],
    [null, null],
  ])
})

test('a scenario with an error and an invalid port are refused', async () => {
  const journey = newJourney({ 'scenario.yaml': 'rules:\n  - taks: greet\n    steps: []\n' })
  const mistaken = await journey.cli('lab', 'scenario.yaml')
  expect(mistaken).toMatchObject({ code: 2, stdout: '' })
  expect(mistaken.stderr).toContain('scenario.yaml:2: unknown key "taks" in rule 1. Write "task" instead.')
  expect(await journey.cli('lab', 'none.yaml')).toMatchObject({ code: 2 })
  journey.write('scenario.yaml', SCENARIO)
  expect(await journey.cli('lab', 'scenario.yaml', '--port', '70000')).toMatchObject({ code: 2 })
})

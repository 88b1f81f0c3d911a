import { expect, test } from 'vitest'
import { costUsd } from '../../src/core/limits/prices.ts'
import type { Lab } from '../../src/lab/lab.ts'
import { testLab } from '../agents/test-lab.ts'
import { leftovers } from './leftovers.ts'
import { jsonLines, newJourney, WITHOUT_REVIEWS } from './new-journey.ts'

const USAGE = '{ input: 1000, cacheRead: 20000, cacheWrite: 500, output: 200 }'
const SCENARIO = `
usage: ${USAGE}
rules:
  - { task: engine, match: you were interrupted, steps: [ { run: echo 2 >> engine.txt }, { report: done } ] }
  - task: engine
    steps:
      - { run: echo 1 >> engine.txt }
      - { run: touch under-way; sleep 600; echo survived >> engine.txt }
      - { run: echo survived >> engine.txt }
  # The parent of a tool is the agent itself.
  - { task: agent, round: 1, steps: [ { run: echo 1 >> agent.txt }, { run: "kill -9 $PPID" }, { report: done } ] }
  - { task: agent, session: 1, steps: [ { run: "echo {round} >> agent.txt" }, { report: done } ] }
`

test('after kill -9 of the real Claude Code and of its engine, work resumes, nothing repeats or remains, and all usage counts', async () => {
  const lab = await testLab(SCENARIO)
  const env = `{ ANTHROPIC_BASE_URL: "${lab.url}", ANTHROPIC_API_KEY: test-key }`
  const journey = newJourney(
    {
      'longhaul.yaml': `agent: { driver: claude, env: ${env} }\ngates: []\nlimits: { error_delay: 0 }\n${WITHOUT_REVIEWS}`,
    },
    { sandbox: 'standard' },
  )
  const tasks = ['engine', 'agent'].map((id) => ({ id, title: `Task ${id}`, weight: 'trivial' }))
  journey.write('tasks.json', JSON.stringify({ tasks }))
  expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)

  const first = journey.start(['run'])
  await Promise.all([journey.workspaceHas('engine-a1', 'under-way'), first.printed(/agent +landed as/)])
  first.child.kill('SIGKILL')
  await first.ended
  const before = lab.requests.length
  expect(await journey.cli('run')).toMatchObject({ code: 0 })

  expect(journey.read('engine.txt')).toBe('1\n2\n')
  expect(journey.read('agent.txt')).toBe('1\n2\n')
  // After the engine's death the next request comes from the resumed session, with the prompt for a lost round.
  expect(lab.requests[before]).toMatchObject({ task: 'engine', rule: 1, sessionNumber: 1, round: 2 })
  expect(lab.requests.slice(before)).toHaveLength(2)
  expect(leftovers(journey)).toEqual([])

  const [status] = jsonLines(await journey.cliInProcess('status', '--json'))
  const calls = lab.requests.length
  expect(status).toHaveProperty('totals.tokens', {
    input: 1000 * calls,
    cacheRead: 20_000 * calls,
    cacheWrite: 500 * calls,
    output: 200 * calls,
  })
  const each = costUsd({ input: 1000, cacheRead: 20_000, cacheWrite: 500, output: 200 }, model(lab), {}) ?? Number.NaN
  expect(status).toHaveProperty('totals.usd', expect.closeTo(each * calls, 6))
})

function model(lab: Lab): string {
  return lab.requests[0]?.model ?? ''
}

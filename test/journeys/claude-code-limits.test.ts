import { expect, test } from 'vitest'
import { testLab } from '../agents/test-lab.ts'
import { type Journey, jsonLines, newJourney } from './new-journey.ts'

const TURNS = Array.from({ length: 8 }, () => '{ run: "true" }').join(', ')
const spends = (run: string) =>
  `{ run: "echo 1 >> {task}.txt" }, { run: ${run}, usage: { output: 900000 } }, { run: "echo 2 >> {task}.txt" }`
const SCENARIO = `
usage: { input: 10, cacheRead: 1000, output: 5 }
rules:
  - { task: limited, steps: [ { run: echo never >> limited.txt, fault: { limit: "+600" } } ] }
  - { task: turns, match: our checks found problems, steps: [ { run: rm red }, { report: done } ] }
  - { task: turns, steps: [ { run: "touch red; echo {round} >> turns.txt" }, ${TURNS} ] }
  - { task: spent, steps: [ ${spends('sleep 600')} ] }
  - { task: stopped, steps: [ ${spends('"true"')} ] }
  - task: unreported
    steps:
      - { run: echo 1 >> unreported.txt, usage: none }
      - { report: done, usage: none }
  - { task: silent, round: 1, steps: [ { run: echo 1 >> silent.txt }, { say: never, fault: { silent: true } } ] }
  - { task: "*", session: 1, steps: [ { run: "echo {round} >> {task}.txt" }, { report: done } ] }
`

interface Fact {
  readonly kind: string
  readonly as?: string
  readonly turnsMax?: number
  readonly end?: { readonly kind: string; readonly detail: string }
}

test('the real Claude Code works within limits of turns, money, silence and usage, and without reported usage', async () => {
  const lab = await testLab(SCENARIO)
  const journey = newJourney({ 'longhaul.yaml': settings(lab.url, 'first-token') }, { sandbox: 'standard' })
  // With one agent at a time, the limit is reached before other work of the same sign-in starts.
  await importTasks(journey, 'limited', 'same')
  expect(await journey.cli('run', '--no-wait')).toMatchObject({ code: 75 })
  expect(await summary(journey)).toEqual(['limited parked 1', 'same ready 0'])

  journey.write('longhaul.yaml', settings(lab.url, 'second-token', 'limits: { parallel: 5 }'))
  await importTasks(journey, 'turns', 'spent', 'unreported', 'silent')
  expect(await journey.cli('run', '--no-wait')).toMatchObject({ code: 75 })
  // Our own price is zero, so only the agent's own budget can stop it.
  const free = 'prices: { claude: { input: 0, output: 0, cache_read: 0, cache_write: 0 } }'
  journey.write('longhaul.yaml', settings(lab.url, 'second-token', free))
  await importTasks(journey, 'stopped')
  expect(await journey.cli('run', '--no-wait')).toMatchObject({ code: 75 })

  expect(await summary(journey)).toEqual([
    'limited parked 1',
    'same done 1',
    'turns done 1',
    'spent needs-person 1',
    'unreported done 1',
    'silent done 1',
    'stopped needs-person 1',
  ])
  expect(['turns', 'unreported', 'silent', 'same'].map((task) => journey.read(`${task}.txt`))).toEqual([
    '1\n2\n',
    '1\n',
    '1\n2\n',
    '1\n',
  ])
  await assessedAfterTwiceTheTurns(journey)
  expect(await ends(journey, 'spent')).toEqual([expect.stringMatching(/^budget the task's budget is used up: .* of 9/)])
  expect(await ends(journey, 'stopped')).toEqual([expect.stringMatching(/^budget .*(maximum budget|\$9)/i)])
  expect(await ends(journey, 'silent')).toEqual([expect.stringMatching(/^timeout /), expect.stringMatching(/^ok /)])
  for (const task of ['spent', 'stopped']) expect(journey.git('show', `longhaul/${task}-a1:${task}.txt`)).toBe('1')
  const unreported = (await factsOf(journey, 'unreported')).filter(({ kind }) => kind === 'context-untracked')
  expect(unreported).toHaveLength(1)
})

async function assessedAfterTwiceTheTurns(journey: Journey): Promise<void> {
  const facts = await factsOf(journey, 'turns')
  const rounds = facts.filter(({ kind }) => kind === 'round-started').map(({ turnsMax }) => turnsMax)
  expect(rounds.slice(0, 2)).toEqual([3, 6])
  expect(facts.flatMap(({ as }) => as ?? [])[0]).toBe('partial')
  expect((await ends(journey, 'turns')).map((end) => end.split(' ')[0])).toEqual([
    'max-turns',
    'max-turns',
    'ok',
    // The review explores, then decides.
    'ok',
    'ok',
  ])
}

function settings(url: string, token: string, more = 'limits: { parallel: 1 }'): string {
  return [
    `agent: { driver: claude, env: { ANTHROPIC_BASE_URL: "${url}", CLAUDE_CODE_OAUTH_TOKEN: ${token} } }`,
    'gates: [ { name: tests, run: "test ! -e red" } ]',
    'turns: { preset: lean, min: 3, max: 3 }',
    'time: { silence: 60 }',
    'budget: { task_usd: 9, run_usd: null, day_usd: null }',
    `${more}\n`,
  ].join('\n')
}

async function importTasks(journey: Journey, ...ids: readonly string[]): Promise<void> {
  const tasks = ids.map((id) => ({ id, title: `Task ${id}`, weight: id === 'turns' ? 'small' : 'trivial' }))
  journey.write('tasks.json', JSON.stringify({ tasks }))
  journey.commit('tasks')
  expect(await journey.cliInProcess('import', 'tasks.json')).toMatchObject({ code: 0, stderr: '' })
}

async function summary(journey: Journey): Promise<readonly string[]> {
  return (await journey.status()).tasks.map(({ id, state, attempts }) => `${id} ${state} ${attempts}`)
}

async function factsOf(journey: Journey, task: string): Promise<readonly Fact[]> {
  return jsonLines<Fact>(await journey.cliInProcess('log', '--json', '--task', task))
}

async function ends(journey: Journey, task: string): Promise<readonly string[]> {
  return (await factsOf(journey, task)).flatMap(({ kind, end }) =>
    kind === 'round-ended' && end !== undefined ? [`${end.kind} ${end.detail}`] : [],
  )
}

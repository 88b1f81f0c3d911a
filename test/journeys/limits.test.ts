import { expect, test } from 'vitest'
import { landedTasks } from './backlogs.ts'
import { type Journey, SETTINGS } from './journey.ts'
import { leftovers } from './leftovers.ts'
import { jsonLines, newJourney, taskFile, WITHOUT_REVIEWS } from './new-journey.ts'

const WORK = '{ run: "echo $LONGHAUL_ROUND >> {task}.txt" }'

test('a usage limit parks all work until its reset time and costs no attempt; so does an overload', async () => {
  const journey = newJourney({
    'longhaul.yaml': SETTINGS.replace('limits: {', 'limits: { parallel: 2,'),
    'script.yaml': [
      `- { task: limited, round: 1, steps: [ ${WORK}, { wait: 0.3 }, { end: rate-limited, resetAt: "+3600" } ] }`,
      `- { task: overloaded, round: 1, steps: [ ${WORK}, { end: overloaded } ] }`,
      `- { task: "*", steps: [ ${WORK}, { report: done } ] }\n`,
    ].join('\n'),
  })
  await importTasks(journey, 'limited', 'overloaded', 'later:overloaded')
  const began = Date.now()
  const parked = await journey.cli('run', '--no-wait')
  expect(parked).toMatchObject({ code: 75, stdout: expect.stringContaining('Parked until') })
  const waiting = await journey.cliInProcess('status', '--json')
  const [status] = jsonLines<{ limits: { until: string }[]; run: object; tasks: object[] }>(waiting)
  expect(status).toMatchObject({ run: { state: 'parked' }, tasks: [{ state: 'parked', attempts: 1 }, {}, {}] })
  expect(status?.limits).toHaveLength(1)
  const until = Date.parse(status?.limits[0]?.until ?? '')
  expect(until).toBeGreaterThan(began + 3_600_000)

  expect(await journey.cliAhead(until - Date.now() - 2_000, 'run')).toMatchObject({ code: 0 })
  const rounds = jsonLines<{ kind: string; at: string }>(
    await journey.cliInProcess('log', '--json', '--task', 'limited'),
  )
  const [, afterLimit] = rounds.filter(({ kind }) => kind === 'round-started')
  expect(Date.parse(afterLimit?.at ?? '')).toBeGreaterThanOrEqual(until)
  expect(await summary(journey)).toEqual(['limited done 1', 'overloaded done 1', 'later done 1'])
  expect([journey.read('limited.txt'), journey.read('overloaded.txt')]).toEqual(['1\n2\n', '1\n2\n'])
  expect(leftovers(journey)).toEqual([])
})

test('a usage limit parks only its own credential: work with another key continues', async () => {
  const journey = newJourney({
    'longhaul.yaml': SETTINGS,
    'script.yaml': [
      `- { task: limited, round: 1, steps: [ ${WORK}, { end: rate-limited, resetAt: "+600" } ] }`,
      `- { task: "*", steps: [ ${WORK}, { report: done } ] }\n`,
    ].join('\n'),
  })
  await importTasks(journey, 'limited')
  expect((await journey.cli('run', '--no-wait')).code).toBe(75)
  const key = 'script: script.yaml, env: { SOME_API_KEY: very-secret }'
  journey.write('longhaul.yaml', SETTINGS.replace('script: script.yaml', key))
  await importTasks(journey, 'other')
  expect((await journey.cli('run', '--no-wait')).code).toBe(75)
  expect(await summary(journey)).toEqual(['limited parked 1', 'other done 1'])
  const facts = jsonLines<{ kind: string; credential?: string }>(await journey.cliInProcess('log', '--json'))
  const credentials = facts.flatMap(({ kind, credential }) => (kind === 'attempt-started' ? [credential] : []))
  expect(credentials).toEqual(['scripted', expect.stringMatching(/^scripted \([0-9a-f]{10}\)$/)])
})

test('a round that runs out of turns gets more once, then the existing work is assessed', async () => {
  const turns = Array.from({ length: 9 }, () => '{ usage: { input: 10 } }').join(', ')
  const journey = newJourney({
    'longhaul.yaml': `turns: { preset: lean, min: 3, max: 3 }\n${SETTINGS}`,
    'script.yaml': [
      `- { task: a, round: 3, steps: [ { delete: red }, { report: done } ] }`,
      `- { task: a, steps: [ ${WORK}, { write: { path: red, text: x } }, ${turns}, { hang: true } ] }\n`,
    ].join('\n'),
  })
  journey.write('tasks.json', JSON.stringify({ tasks: [{ id: 'a', title: 'Fix it', weight: 'small' }] }))
  await journey.cliInProcess('import', 'tasks.json')
  expect(await journey.cli('run')).toMatchObject({ code: 0, stdout: expect.stringContaining('assessed as partial') })
  const { stdout } = await journey.cliInProcess('show', 'a')
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/of 3 turns \(limit for weight small, kept within 3 to 3\)/)
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/of 6 turns \(raised from 3, which were used up\)/)
  expect(journey.read('a.txt')).toBe('1\n2\n')
})

const UNTIL_RAISED = '{ run: "test -e \\"$HOME/raised\\" || sleep 600" }'

test('a spent budget waits for a person; when it is raised, the task continues from the existing work', async () => {
  const journey = newJourney({
    'longhaul.yaml': `budget: { task_usd: 4 }\n${SETTINGS}`,
    'script.yaml': `- { task: "*", steps: [ ${WORK}, { usage: { output: 200000 } }, ${UNTIL_RAISED}, { report: done } ] }\n`,
  })
  await importTasks(journey, 'a', 'b:a')
  const spent = await journey.cli('run')
  expect(spent).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/a: the task's budget is used up: 5\.00 USD of 4/),
  })
  expect(await summary(journey)).toEqual(['a needs-person 1', 'b waiting 0'])
  expect((await journey.cli('run')).code).toBe(3)
  expect((await journey.status()).totals.usd).toBe(5)

  journey.write('longhaul.yaml', `budget: { task_usd: 20 }\n${SETTINGS}`)
  journey.write('../home/raised', '')
  expect((await journey.cliInProcess('retry', 'a')).code).toBe(0)
  expect((await journey.cli('run')).code).toBe(0)
  expect(await summary(journey)).toEqual(['a done 2', 'b done 1'])
  expect(journey.git('show', 'refs/longhaul/landed/main:a.txt')).toBe('1\n1')
  expect((await journey.status()).totals.usd).toBe(15)
})

test('failures by attempts, silence, protected files and empty diffs name their reason, and blocked tasks name the cause', async () => {
  const journey = newJourney({
    'longhaul.yaml': [
      'gates: [ { name: tests, run: "test ! -e red", protect: [ "tests/**" ] } ]',
      'limits: { parallel: 5, attempts: 2, error_delay: 0, limit_delay: 0 }',
      'time: { silence: 15 }',
      'agent: { driver: scripted, script: script.yaml }',
      WITHOUT_REVIEWS,
    ].join('\n'),
    'tests/one.txt': 'one\n',
    'script.yaml': [
      '- { task: refuses, steps: [ { run: "echo {attempt} > refused.txt" }, { end: refused } ] }',
      `- { task: silent-once, round: 1, steps: [ ${WORK}, { hang: true } ] }`,
      '- { task: silent, attempt: 1, steps: [ { end: refused } ] }',
      `- { task: silent, steps: [ ${WORK}, { hang: true } ] }`,
      `- { task: touches-once, round: 1, steps: [ ${WORK}, { run: "echo two > tests/one.txt" }, { report: done } ] }`,
      '- { task: touches-once, steps: [ { run: "echo one > tests/one.txt" }, { report: done } ] }',
      '- { task: touches, steps: [ { run: "echo > tests/new.txt; echo two > tests/one.txt" }, { report: done } ] }',
      '- { task: idle, steps: [ { report: done } ] }',
      `- { task: "*", steps: [ ${WORK}, { report: done } ] }\n`,
    ].join('\n'),
  })
  await importTasks(
    journey,
    'silent-once',
    'silent',
    'refuses',
    'touches-once',
    'touches',
    'idle',
    'next:refuses',
    'last:next,silent-once',
  )
  const ran = await journey.cli('run')
  expect(ran.code).toBe(3)
  expect(await summary(journey)).toEqual([
    'silent-once done 1',
    'silent failed 2',
    'refuses failed 2',
    'touches-once done 1',
    'touches needs-person 1',
    'idle failed 2',
    'next blocked 0',
    'last blocked 0',
  ])
  const reasons = Object.fromEntries((await journey.status()).tasks.map(({ id, reason }) => [id, reason]))
  expect(reasons).toMatchObject({
    refuses: expect.stringMatching(/^2 of 2 attempts failed; the last one: the agent refused/),
    silent: expect.stringMatching(/^2 of 2 attempts failed; the last one: .*(out of time|silen)/),
    touches: expect.stringContaining('tests/one.txt is protected, and lines of it were changed or removed'),
    idle: expect.stringContaining('nothing has changed since'),
    next: 'blocked by refuses, which failed',
    last: 'blocked by refuses, which failed',
  })
  for (const line of ['next  ', 'last  ']) expect(ran.stdout).toMatch(new RegExp(`${line} +blocked by refuses`))
  expect(landedTasks(journey).toSorted()).toEqual(['silent-once', 'touches-once'])
  expect(journey.git('show', 'longhaul/refuses-a2:refused.txt')).toBe('2')
})

async function importTasks(journey: Journey, ...tasks: readonly string[]): Promise<void> {
  journey.write('tasks.json', taskFile(...tasks))
  journey.commit('tasks')
  expect(await journey.cliInProcess('import', 'tasks.json')).toMatchObject({ code: 0, stderr: '' })
}

async function summary(journey: Journey): Promise<readonly string[]> {
  return (await journey.status()).tasks.map(({ id, state, attempts }) => `${id} ${state} ${attempts}`)
}

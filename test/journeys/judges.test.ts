import { describe, expect, onTestFinished, test } from 'vitest'
import { type JudgePlan, type JudgeRequest, type JudgeServer, openJudgeServer } from '../judges/judge-server.ts'
import { leftovers } from './leftovers.ts'
import { jsonLines, newJourney, SETTINGS, WRITES } from './new-journey.ts'

const SUMMARY = {
  kind: 'says',
  text: JSON.stringify({
    accomplished: ['greetings are there'],
    decisions: ['plain text, because it is enough'],
    state: ['green'],
    issues: [],
    next: ['colours'],
  }),
} satisfies JudgePlan

/** Prices at which an answer of 20 tokens costs 0.2 USD. */
const PRICES = 'prices: { small: { input: 0, output: 10000, cache_read: 0, cache_write: 0 } }\n'

const BACKLOG = JSON.stringify({
  milestones: [
    { id: 'm1', title: 'Words', brief: 'Everything that is said.' },
    { id: 'm2', title: 'Looks', brief: 'Everything that is seen.' },
  ],
  tasks: [
    { id: 'a', title: 'Greet', milestone: 'm1', weight: 'trivial' },
    { id: 'b', title: 'Colour', milestone: 'm2', weight: 'trivial' },
  ],
})

async function judge(planFor: (request: JudgeRequest) => JudgePlan): Promise<JudgeServer> {
  const server = await openJudgeServer('openai', planFor)
  onTestFinished(() => server.close())
  return server
}

function judged(url: string, more = ''): string {
  return `${SETTINGS}judge: { driver: openai, model: small, url: "${url}", key: $JUDGE_KEY, timeout: 120${more} }\n`
}

const KEY = { env: { JUDGE_KEY: 'test-key' } }

describe('a milestone', () => {
  test('gets a summary by the judge, which is in the first prompts of the next one', async () => {
    const server = await judge(() => SUMMARY)
    const journey = newJourney(
      { 'longhaul.yaml': `${judged(server.url)}${PRICES}`, 'script.yaml': WRITES, 'tasks.json': BACKLOG },
      KEY,
    )
    expect((await journey.cliInProcess('doctor')).stdout).toMatch(/ok +judge +openai, small: answers/)
    await journey.cliInProcess('import', 'tasks.json')
    const ran = await journey.cli('run')
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('milestone m1 (Words) was summarised by the judge'),
    })
    const [, question] = server.requests
    expect(question?.authorization).toBe('Bearer test-key')
    expect(question?.body.messages[1]?.content).toMatch(/# Milestone: Words[\s\S]+- a: Greet \([0-9a-f]{10}\)/)
    const { stdout: prompt } = await journey.cliInProcess('show', 'b', '--prompt')
    expect(prompt).toContain('Summary of the finished milestone "Words" before it:')
    expect(prompt).toContain('- plain text, because it is enough')
    expect((await journey.cliInProcess('show', 'a', '--prompt')).stdout).not.toContain('came before it')
    const [story] = jsonLines(await journey.cliInProcess('show', 'm1', '--json'))
    expect(story).toMatchObject({
      tasks: [{ id: 'a', state: 'done' }],
      summary: { by: 'judge', why: 'small was asked' },
    })
    const { stdout: log } = await journey.cliInProcess('log')
    expect(log).not.toContain('test-key')
    expect(log).toContain('summarized by the judge: small was asked; 0.20 USD')
    expect((await journey.status()).totals.usd).toBeCloseTo(0.4)
  })

  test('gets a summary from recorded facts when the judge is down, and nothing stops', async () => {
    const server = await judge(() => SUMMARY)
    await server.close()
    const journey = newJourney(
      { 'longhaul.yaml': judged(server.url), 'script.yaml': WRITES, 'tasks.json': BACKLOG },
      KEY,
    )
    expect((await journey.cliInProcess('doctor')).stdout).toMatch(
      /warn +judge +The judge at \S+ cannot be reached: ECONNREFUSED/,
    )
    await journey.cliInProcess('import', 'tasks.json')
    expect((await journey.cli('run')).code).toBe(0)
    expect((await journey.cliInProcess('log')).stdout).toMatch(
      /milestone m1 finished; summarized from recorded facts: The judge at/,
    )
    expect((await journey.cliInProcess('show', 'b', '--prompt')).stdout).toMatch(
      /## Accomplished\n- a: Greet \([0-9a-f]{10}\)/,
    )
    expect((await journey.cliInProcess('show', 'm2')).stdout).toContain('Summary, without the judge (The judge at')
  })
})

test('the agent itself can judge milestones and work, and leaves nothing behind', async () => {
  const fine = opinion({})
  const rules = [
    { task: 'judge', phase: 'judge', round: 1, steps: [{ say: fine.text }] },
    { task: 'judge', phase: 'judge', round: 2, steps: [{ say: SUMMARY.text }] },
    { task: 'judge', phase: 'judge', steps: [{ run: 'kill -9 $PPID' }] },
    { task: '*', steps: [{ run: 'echo hello > {task}.txt' }, { report: 'done' }] },
  ]
  const journey = newJourney({
    'longhaul.yaml': `${SETTINGS}judge: { driver: agent, opinions: true }\n`,
    'script.yaml': JSON.stringify(rules),
    'tasks.json': BACKLOG.replaceAll('trivial', 'small'),
  })
  await journey.cliInProcess('import', 'tasks.json')
  expect((await journey.cli('run')).code).toBe(0)
  const { stdout: log } = await journey.cliInProcess('log', '--level', 'info')
  expect(log).toMatch(/judge says proceed \(.*the judge finds it good/)
  expect(log).toMatch(/milestone m1 finished; summarized by the judge: the agent itself was asked/)
  expect(log).toMatch(/judge gave no opinion, so the checks alone decide: The agent cannot be asked as judge/)
  expect((await journey.cliInProcess('show', 'b', '--prompt')).stdout).toContain('- plain text, because it is enough')
  expect(leftovers(journey)).toEqual([])
})

/** Opinion of each task's first commit; later commits get a good one. */
const OPINIONS: Readonly<Record<string, JudgePlan>> = {
  retried: opinion({ confidence: 0.9, requirements: 0.3, findings: ['say it louder'] }),
  unsure: opinion({ confidence: 0.6 }),
  lost: opinion({ confidence: 0.2 }),
  unreadable: { kind: 'says', text: 'It is hard to say.' },
}

function opinion({ confidence = 0.95, requirements = 0.9, findings = [] as readonly string[] }) {
  const quality = { syntax: 1, requirements, quality: 0.8, testing: 0.7 }
  return {
    kind: 'says',
    text: JSON.stringify({ quality, confidence, findings, why: 'so it seems' }),
  } satisfies JudgePlan
}

test('the judge gives an opinion of work that passed its checks: each decision, and no answer', async () => {
  const seen = new Set<string>()
  const server = await judge(({ body }) => {
    const task = /^# (\w+):/.exec(body.messages[1]?.content ?? '')?.[1] ?? ''
    const isUnreadable = task === 'unreadable'
    const isFirst = isUnreadable || !seen.has(task)
    seen.add(task)
    return (isFirst ? OPINIONS[task] : undefined) ?? opinion({})
  })
  const writes = '- { task: "*", steps: [ { run: "echo $LONGHAUL_ROUND > $LONGHAUL_TASK.txt" }, { report: done } ] }\n'
  const settings = `${judged(server.url, ', opinions: true')}${PRICES}`
  const journey = newJourney({ 'longhaul.yaml': settings, 'script.yaml': writes }, KEY)
  for (const id of ['fine', ...Object.keys(OPINIONS)])
    await journey.cliInProcess('add', id, '--title', id, '--weight', 'small')
  expect(await journey.cli('run')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('longhaul approve unsure'),
  })
  const states = async () => Object.fromEntries((await journey.status()).tasks.map(({ id, state }) => [id, state]))
  expect(await states()).toEqual({
    fine: 'done',
    retried: 'done',
    unreadable: 'done',
    unsure: 'needs-person',
    lost: 'needs-person',
  })
  // Two questions cost twice: after a return of the work, and after an unreadable answer.
  const money = (await journey.status()).tasks.map(({ id, spendUsd }) => [id, spendUsd?.toFixed(1)])
  expect(Object.fromEntries(money)).toEqual({
    fine: '0.2',
    retried: '0.4',
    unreadable: '0.4',
    unsure: '0.2',
    lost: '0.2',
  })
  const { stdout: log } = await journey.cliInProcess('log', '--level', 'info')
  const figures = 'syntax 1.00, requirements 0.30, quality 0.80, testing 0.70; confidence 0.90'
  expect(log).toContain(`judge says retry (${figures}): requirements 0.30 of 0.70: so it seems`)
  expect(log).toMatch(/judge says proceed \(.*the judge finds it good/)
  expect(log).toMatch(/judge says clarify \(.*confidence 0.60\): the judge is not confident/)
  expect(log).toMatch(/judge says escalate \(.*confidence 0.20\): the judge is unsure/)
  expect(log).toMatch(/judge gave no opinion, so the checks alone decide: The judge small at/)
  expect((await journey.cliInProcess('show', 'retried', '--prompt')).stdout).toContain('say it louder')
  expect(server.requests.some(({ body }) => body.messages[1]?.content.includes('+++ b/fine.txt'))).toBe(true)
  await journey.cliInProcess('approve', 'unsure')
  await journey.cliInProcess('steer', 'lost', 'Just write it.')
  await journey.cliInProcess('retry', 'lost')
  expect((await journey.cli('run')).code).toBe(0)
  expect(new Set(Object.values(await states()))).toEqual(new Set(['done']))
})

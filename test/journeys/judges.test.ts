import { describe, expect, onTestFinished, test } from 'vitest'
import { type Heard, type JudgePlan, type JudgeServer, openJudgeServer } from '../judges/judge-server.ts'
import { jsonLines, newJourney, SETTINGS, WRITES } from './kit.ts'

const SUMMARY: JudgePlan = {
  kind: 'says',
  text: JSON.stringify({
    ...{ accomplished: ['greetings are there'], decisions: ['plain text, because it is enough'] },
    ...{ state: ['green'], issues: [], next: ['colours'] },
  }),
}

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

async function judge(planFor: (heard: Heard) => JudgePlan): Promise<JudgeServer> {
  const server = await openJudgeServer('openai', planFor)
  onTestFinished(() => server.close())
  return server
}

function judged(url: string, more = ''): string {
  return `${SETTINGS}judge: { driver: openai, model: small, url: "${url}", key: $JUDGE_KEY, timeout: 2${more} }\n`
}

const KEY = { env: { JUDGE_KEY: 'test-key' } }

describe('a milestone', () => {
  test('is summed up by the judge, and the next one has that in its first prompt', async () => {
    const server = await judge(() => SUMMARY)
    const journey = newJourney(
      { 'longhaul.yaml': judged(server.url), 'script.yaml': WRITES, 'tasks.json': BACKLOG },
      KEY,
    )
    expect((await journey.cli('doctor')).stdout).toMatch(/ok +judge +openai, small: answers/)
    await journey.cli('import', 'tasks.json')
    const ran = await journey.cli('run')
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('milestone m1 (Words) was summed up by the judge'),
    })
    const [, asked] = server.heard
    expect(asked?.authorization).toBe('Bearer test-key')
    expect(asked?.body.messages[1]?.content).toMatch(/# Milestone: Words[\s\S]+- a: Greet \([0-9a-f]{10}\)/)
    const { stdout: prompt } = await journey.cli('show', 'b', '--prompt')
    expect(prompt).toContain('The milestone "Words" came before it, and is over. Its summary:')
    expect(prompt).toContain('- plain text, because it is enough')
    expect((await journey.cli('show', 'a', '--prompt')).stdout).not.toContain('came before it')
    const [story] = jsonLines(await journey.cli('show', 'm1', '--json'))
    expect(story).toMatchObject({
      tasks: [{ id: 'a', state: 'done' }],
      summary: { by: 'judge', why: 'small was asked' },
    })
    expect((await journey.cli('log')).stdout).not.toContain('test-key')
  })

  test('is summed up from facts where the judge is down, and nothing stops', async () => {
    const server = await judge(() => SUMMARY)
    await server.close()
    const journey = newJourney(
      { 'longhaul.yaml': judged(server.url), 'script.yaml': WRITES, 'tasks.json': BACKLOG },
      KEY,
    )
    expect((await journey.cli('doctor')).stdout).toMatch(
      /warn +judge +The judge at \S+ cannot be reached: ECONNREFUSED/,
    )
    await journey.cli('import', 'tasks.json')
    expect((await journey.cli('run')).code).toBe(0)
    expect((await journey.cli('log')).stdout).toMatch(/milestone m1 is over; summed up from facts alone: The judge at/)
    expect((await journey.cli('show', 'b', '--prompt')).stdout).toMatch(/## Accomplished\n- a: Greet \([0-9a-f]{10}\)/)
    expect((await journey.cli('show', 'm2')).stdout).toContain('Summary, from facts alone (The judge at')
  })
})

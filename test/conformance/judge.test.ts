import { expect, test } from 'vitest'
import type { JudgeOptions } from '../../src/adapters/judges/judge-options.ts'
import { ollamaJudge } from '../../src/adapters/judges/ollama.ts'
import { openaiJudge } from '../../src/adapters/judges/openai.ts'
import { resolveEnv } from '../../src/config/environment.ts'
import { type JudgeSettings, PLAIN_AGENT } from '../../src/core/model/settings.ts'
import { askJudge } from '../../src/engine/ask-judge.ts'
import type { Judge, OnJudgeUsage } from '../../src/ports/judge.ts'
import { JUDGE } from '../given/given-judge.ts'
import { type JudgePlan, type JudgeServer, openJudgeServer } from '../judges/judge-server.ts'
import { HANG_MS } from '../patience.ts'
import { type JudgeWorld, judgeConformance } from './judge.ts'
import { REAL_CLOCK } from './real-clock.ts'

const JUDGES = { ollama: ollamaJudge, openai: openaiJudge }
const OPTIONS: JudgeOptions = { resolveEnv: (env) => resolveEnv(env, { JUDGE_KEY: 'test-key' }) }
const SAYS = { kind: 'says', text: '{"ready": true}' } as const satisfies JudgePlan

for (const [name, make] of Object.entries(JUDGES)) {
  judgeConformance(name, async (plan): Promise<JudgeWorld> => {
    const server = await openJudgeServer(name as keyof typeof JUDGES, () => plan)
    const said = (role: string, { body }: JudgeServer['heard'][number]) =>
      body.messages.find((message) => message.role === role)?.content ?? ''
    let isOpen = true
    return {
      judge: make(OPTIONS),
      settings: settingsFor(name, server.url),
      agent: PLAIN_AGENT,
      told: () => server.heard.map((one) => ({ system: said('system', one), prompt: said('user', one) })),
      leave: async () => {
        if (isOpen) await server.close()
        isOpen = false
      },
    }
  })
}

test('ollama gets its question as it wants it', async () => {
  const { body } = await firstHeard('ollama', {})
  const options = { temperature: 0.3, num_predict: 100 }
  expect(body).toMatchObject({ model: 'small', stream: false, format: 'json', options })
})

test('openai gets its question as it wants it, and the key that a variable holds', async () => {
  const { body, authorization } = await firstHeard('openai', { key: '$JUDGE_KEY' })
  expect(body).toMatchObject({ model: 'small', stream: false, temperature: 0.3, max_tokens: 100 })
  expect(authorization).toBe('Bearer test-key')
})

test.each([
  [
    'openai',
    [
      {
        message: null,
        model: 'small',
        tokens: { input: 10, cacheRead: 0, cacheWrite: 0, output: 20 },
        hourCacheWrite: 0,
      },
    ],
  ],
  // It is the user's own, and costs nothing.
  ['ollama', []],
] as const)('what a call of %s used up is told, also when its answer is of no use', async (name, usage) => {
  const server = await openJudgeServer(name, () => ({ kind: 'cut', text: 'so' }))
  const told: unknown[] = []
  const answer = await asked(JUDGES[name](OPTIONS), settingsFor(name, server.url), (one) => void told.push(one))
  expect(answer).toMatchObject({ code: 'judge-unreadable' })
  expect(told).toEqual(usage)
  await server.close()
})

test.each(['', '/', '/v1', '/v1/'])('openai at an address that ends with "%s"', async (path) => {
  expect((await firstHeard('openai', {}, path)).path).toBe('/v1/chat/completions')
})

test('a key that is not there is a problem of its own', async () => {
  const judge = { ...settingsFor('openai', 'http://127.0.0.1:9'), key: '$NO_SUCH_KEY' }
  expect(await asked(openaiJudge(OPTIONS), judge)).toMatchObject({ code: 'variable-missing' })
})

test('an engine waits for a hanging judge no longer than its time limit, and asks a babbling one once more', async () => {
  const hanging = await openJudgeServer('ollama', () => ({ kind: 'hangs' }))
  const babbling = await openJudgeServer('ollama', () => ({ kind: 'says', text: 'no JSON' }))
  const late = [SAYS, { kind: 'raw', body: 'babble' } as const]
  const better = await openJudgeServer('ollama', () => late.pop() ?? SAYS)
  const limited = { ...settingsFor('ollama', hanging.url), timeoutMs: 500 }
  const others = [babbling, better].map(({ url }) => settingsFor('ollama', url))
  const answers = [limited, ...others].map(engineAsks)
  expect(await Promise.all(answers)).toMatchObject([{ code: 'judge-slow' }, { code: 'judge-unreadable' }, 'understood'])
  expect([hanging, babbling, better].map(({ heard }) => heard.length)).toEqual([1, 2, 2])
  await Promise.all([hanging, babbling, better].map((server) => server.close()))
})

function engineAsks(judge: JudgeSettings) {
  const ports = { judge: () => ollamaJudge(OPTIONS), clock: REAL_CLOCK }
  const read = (text: string) => (text === SAYS.text ? 'understood' : null)
  return askJudge(
    ports,
    { judge, agent: PLAIN_AGENT },
    { system: '', prompt: '', tokensMax: 10, read },
    new AbortController().signal,
    () => {},
  )
}

async function firstHeard(name: keyof typeof JUDGES, changes: Partial<JudgeSettings>, path = '') {
  const server = await openJudgeServer(name, () => SAYS)
  expect(await asked(JUDGES[name](OPTIONS), { ...settingsFor(name, `${server.url}${path}`), ...changes })).toBe(
    SAYS.text,
  )
  await server.close()
  const [first] = server.heard
  if (first === undefined) throw new Error('nothing was heard')
  return first
}

function asked(judge: Judge, settings: JudgeSettings, used: OnJudgeUsage = () => {}) {
  const question = { judge: settings, agent: PLAIN_AGENT, system: 'a', prompt: 'b', tokensMax: 100 }
  return judge.ask(question, new AbortController().signal, used)
}

function settingsFor(driver: string, url: string): JudgeSettings {
  return { ...JUDGE, driver, url, timeoutMs: HANG_MS }
}

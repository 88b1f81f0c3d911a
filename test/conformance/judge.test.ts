import { expect, test } from 'vitest'
import type { HttpJudgeOptions } from '../../src/adapters/judges/http.ts'
import { ollamaJudge } from '../../src/adapters/judges/ollama.ts'
import { openaiJudge } from '../../src/adapters/judges/openai.ts'
import { resolveEnv } from '../../src/config/environment.ts'
import { type JudgeSettings, PLAIN_AGENT } from '../../src/core/model/settings.ts'
import { askJudge } from '../../src/engine/ask-judge.ts'
import type { Judge, OnJudgeUsage } from '../../src/ports/judge.ts'
import { JUDGE } from '../given/given-attempt.ts'
import { type JudgePlan, type JudgeServer, openJudgeServer } from '../judges/judge-server.ts'
import { HANG_MS } from '../patience.ts'
import { type JudgeWorld, judgeConformance } from './judge.ts'
import { REAL_CLOCK } from './real-clock.ts'

const JUDGES = { ollama: ollamaJudge, openai: openaiJudge }
const OPTIONS: HttpJudgeOptions = { resolveEnv: (env) => resolveEnv(env, { JUDGE_KEY: 'test-key' }) }
const SAYS = { kind: 'says', text: '{"ready": true}' } as const satisfies JudgePlan

for (const [name, make] of Object.entries(JUDGES)) {
  judgeConformance(name, async (plan): Promise<JudgeWorld> => {
    const server = await openJudgeServer(name as keyof typeof JUDGES, () => plan)
    const contentOf = (role: string, { body }: JudgeServer['requests'][number]) =>
      body.messages.find((message) => message.role === role)?.content ?? ''
    let isOpen = true
    return {
      judge: make(OPTIONS),
      settings: settingsFor(name, server.url),
      agent: PLAIN_AGENT,
      questions: () =>
        server.requests.map((request) => ({
          system: contentOf('system', request),
          prompt: contentOf('user', request),
        })),
      leave: async () => {
        if (isOpen) await server.close()
        isOpen = false
      },
    }
  })
}

test('ollama gets the question in its own format', async () => {
  const { body } = await firstRequest('ollama', {})
  const options = { temperature: 0.3, num_predict: 100 }
  expect(body).toMatchObject({ model: 'small', stream: false, format: 'json', options })
})

test('openai gets the question in its own format, and the key from a variable', async () => {
  const { body, authorization } = await firstRequest('openai', { key: '$JUDGE_KEY' })
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
  // A local model costs nothing.
  ['ollama', []],
] as const)('the usage of a call to %s is reported even when the answer is unusable', async (name, usage) => {
  const server = await openJudgeServer(name, () => ({ kind: 'cut', text: 'so' }))
  const reported: unknown[] = []
  const answer = await ask(JUDGES[name](OPTIONS), settingsFor(name, server.url), (entry) => void reported.push(entry))
  expect(answer).toMatchObject({ code: 'judge-unreadable' })
  expect(reported).toEqual(usage)
  await server.close()
})

test.each(['', '/', '/v1', '/v1/'])('openai at an address that ends with "%s"', async (path) => {
  expect((await firstRequest('openai', {}, path)).path).toBe('/v1/chat/completions')
})

test('a missing key has its own problem code', async () => {
  const judge = { ...settingsFor('openai', 'http://127.0.0.1:9'), key: '$NO_SUCH_KEY' }
  expect(await ask(openaiJudge(OPTIONS), judge)).toMatchObject({ code: 'variable-missing' })
})

test('the engine waits for a hanging judge until its timeout, and asks once more after an unusable answer', async () => {
  const hanging = await openJudgeServer('ollama', () => ({ kind: 'hangs' }))
  const unusable = await openJudgeServer('ollama', () => ({ kind: 'says', text: 'no JSON' }))
  const replies = [SAYS, { kind: 'raw', body: 'no JSON' } as const]
  const better = await openJudgeServer('ollama', () => replies.pop() ?? SAYS)
  const limited = { ...settingsFor('ollama', hanging.url), timeoutMs: 500 }
  const others = [unusable, better].map(({ url }) => settingsFor('ollama', url))
  const answers = [limited, ...others].map(engineAsks)
  expect(await Promise.all(answers)).toMatchObject([{ code: 'judge-slow' }, { code: 'judge-unreadable' }, 'understood'])
  expect([hanging, unusable, better].map(({ requests }) => requests.length)).toEqual([1, 2, 2])
  await Promise.all([hanging, unusable, better].map((server) => server.close()))
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

async function firstRequest(name: keyof typeof JUDGES, changes: Partial<JudgeSettings>, path = '') {
  const server = await openJudgeServer(name, () => SAYS)
  expect(await ask(JUDGES[name](OPTIONS), { ...settingsFor(name, `${server.url}${path}`), ...changes })).toBe(SAYS.text)
  await server.close()
  const [first] = server.requests
  if (first === undefined) throw new Error('no request arrived')
  return first
}

function ask(judge: Judge, settings: JudgeSettings, onUsage: OnJudgeUsage = () => {}) {
  const question = { judge: settings, agent: PLAIN_AGENT, system: 'a', prompt: 'b', tokensMax: 100 }
  return judge.ask(question, new AbortController().signal, onUsage)
}

function settingsFor(driver: string, url: string): JudgeSettings {
  return { ...JUDGE, driver, url, timeoutMs: HANG_MS }
}

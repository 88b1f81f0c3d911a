import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isProblem } from '../core/model/problem.ts'
import { type Lab, type LabOptions, openLab } from './lab.ts'
import { parseScenario } from './parse-scenario.ts'

test('an answer is streamed as by the Messages API', async () => {
  const lab = await opened(
    'rules: [ { steps: [ { say: "Hello.", usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 } } ] } ]',
  )
  const response = await post(lab.url, 'v1/messages?beta=true', body('Go.'))
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = (await response.text())
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
  expect(events.map((event) => JSON.parse(event))).toEqual([
    {
      type: 'message_start',
      message: {
        id: expect.stringMatching(/^msg_lab_/),
        type: 'message',
        role: 'assistant',
        model: 'some-model',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, cache_creation_input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ])
})

test('without a stream the answer is one message, and tokens are counted on request', async () => {
  const lab = await opened('rules: [ { steps: [ { run: ls } ] } ]')
  const whole = await post(lab.url, 'v1/messages', { ...body('Go.'), stream: false })
  expect(await whole.json()).toMatchObject({
    content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }],
    stop_reason: 'tool_use',
  })
  const counted = await post(lab.url, 'v1/messages/count_tokens', body('Go.'))
  expect(await counted.json()).toEqual({ input_tokens: expect.any(Number) })
  expect(lab.requests.map(({ kind }) => kind)).toEqual(['turn', 'count'])
})

test('a run with too many requests is refused, and another run is not', async () => {
  const lab = await opened('rules: [ { steps: [ { say: hello } ] } ]', { requestsMax: 2 })
  const statuses = []
  for (const run of ['a', 'a', 'a', 'b', '']) {
    const response = await post(`${lab.url}/${run}`, 'v1/messages', body('Go.'))
    statuses.push([run, response.status, /is the agent looping/.test(await response.text())])
  }
  expect(statuses).toEqual([
    ['a', 200, false],
    ['a', 200, false],
    ['a', 400, true],
    ['b', 200, false],
    ['', 200, false],
  ])
  expect(lab.requests.map(({ run }) => run)).toEqual(['a', 'a', 'b', ''])
})

test('every request is appended to the record file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-lab-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const record = join(folder, 'requests.jsonl')
  const lab = await opened('rules: [ { task: greet, steps: [ { say: hello } ] } ]', { record, now: () => 7 })
  await post(lab.url, 'v1/messages', body('# greet: Greet\n\nGo.'))
  await post(lab.url, 'v1/messages', body('Hello.'))
  await lab.close()
  const lines = readFileSync(record, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { at: 7, task: 'greet', round: 1, prompt: '# greet: Greet\n\nGo.', rule: 1, step: 1, answer: 'said "hello"' },
    { at: 7, task: null, prompt: 'Hello.', rule: null, answer: 'no rule matches' },
  ])
})

test('another path is not found and not recorded', async () => {
  const lab = await opened('rules: [ { steps: [ { say: hello } ] } ]')
  expect((await fetch(`${lab.url}/v1/models`)).status).toBe(404)
  expect((await post(lab.url, 'v1/messages', { model: 5 })).status).toBe(404)
  expect(lab.requests).toEqual([])
})

test('a port that is taken, or a file that cannot be written, is a problem', async () => {
  const { url } = await opened('rules: [ { steps: [] } ]')
  const port = Number(new URL(url).port)
  expect(await open('rules: [ { steps: [] } ]', { port })).toMatchObject({ code: 'lab-not-opened' })
  expect(await open('rules: [ { steps: [] } ]', { record: '/nowhere/at/all' })).toMatchObject({
    code: 'lab-not-opened',
  })
})

function body(prompt: string): object {
  const messages = [{ role: 'user', content: `<system-reminder>Be brief.</system-reminder>${prompt}` }]
  return { model: 'some-model', stream: true, tools: [{ name: 'Bash' }], messages }
}

function post(base: string, path: string, sent: object): Promise<Response> {
  return fetch(`${base}/${path}`, { method: 'POST', body: JSON.stringify(sent) })
}

async function open(scenario: string, options: Partial<LabOptions>) {
  const parsed = parseScenario('s.yaml', scenario)
  if (isProblem(parsed)) throw new Error(parsed.message)
  return openLab({ scenario: parsed, now: () => 0, ...options })
}

async function opened(scenario: string, options: Partial<LabOptions> = {}): Promise<Lab> {
  const lab = await open(scenario, options)
  if (isProblem(lab)) throw new Error(lab.message)
  onTestFinished(() => lab.close())
  return lab
}

import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AttemptId } from '../../core/model/ids.ts'
import { isProblem } from '../../core/model/problem.ts'
import type { ToolCall } from '../../core/model/tool-call.ts'
import { ROLES, type Role } from '../../core/model/workflow.ts'
import { toolsOf } from '../../core/tools/tools-of.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'

let endpoint: Endpoint

beforeAll(async () => {
  const opened = await openEndpoint()
  if (isProblem(opened)) throw new Error(opened.message)
  endpoint = opened
})
afterAll(() => endpoint.close())

describe('who may come in', () => {
  test('an agent with its token, whose calls are heard and answered', async () => {
    const agent = admitted('coder')
    const answer = await agent.call('report', { status: 'blocked', reason: 'no key' })
    expect(answer).toEqual({ content: [{ type: 'text', text: 'heard report' }], isError: false })
    expect(agent.heard).toEqual([{ kind: 'report', claim: { kind: 'blocked', reason: 'no key' } }])
  })

  test.each([
    ['no token', {}],
    ['a made-up token', { authorization: 'Bearer made-up' }],
    ['another scheme', { authorization: 'Basic bWFkZTp1cA==' }],
  ])('not somebody with %s', async (_, headers) => {
    const { url } = admitted('coder')
    expect(await send(url, headers, LIST)).toMatchObject({ status: 401 })
  })

  test('not an agent whose round is over', async () => {
    const agent = admitted('coder')
    agent.revoke()
    expect(await send(agent.url, agent.headers, LIST)).toMatchObject({ status: 401 })
    expect(agent.heard).toEqual([])
  })

  test('an agent reaches its own attempt and no other', async () => {
    const [one, other] = [admitted('coder'), admitted('coder')]
    expect(one.token).not.toBe(other.token)
    await one.call('progress', { text: 'mine' })
    expect([one.heard.length, other.heard.length]).toEqual([1, 0])
  })

  test.each([
    ['another host', { host: 'longhaul.example:80' }],
    ['a name that leads here', { host: 'localhost' }],
    ['a page of another origin', { origin: 'https://example.org' }],
    ['a page without an origin', { origin: 'null' }],
  ])('nobody who comes by %s, even with a token', async (_, headers) => {
    const agent = admitted('coder')
    expect(await send(agent.url, { ...agent.headers, ...headers }, LIST)).toMatchObject({ status: 403 })
  })

  test('no answer allows pages of other origins to read it', async () => {
    const agent = admitted('coder')
    const { headers } = await send(agent.url, agent.headers, LIST)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test.each(['/', '/mcp/', '/api/v1/tasks'])('there is nothing else at %s', async (path) => {
    const agent = admitted('coder')
    expect(await send(new URL(path, agent.url).href, agent.headers, LIST)).toMatchObject({ status: 404 })
  })
})

describe('what is sent', () => {
  test('too much is refused before it is read', async () => {
    const agent = admitted('coder')
    const huge = rpc('tools/call', { name: 'progress', arguments: { text: 'x'.repeat(300_000) } })
    expect(await send(agent.url, agent.headers, huge)).toMatchObject({ status: 413 })
  })

  test.each([
    ['no JSON', '{"jsonrpc":'],
    ['no JSON-RPC', '{"hello":"world"}'],
    ['nothing', ''],
  ])('%s is refused, and the endpoint goes on', async (_, body) => {
    const agent = admitted('coder')
    expect(await send(agent.url, agent.headers, body)).toMatchObject({ status: 400 })
    expect(await agent.call('checks', {})).toMatchObject({ isError: false })
  })

  test.each([
    ['progress', { text: 'x'.repeat(501) }],
    ['progress', {}],
    ['report', { status: 'landed' }],
    ['report', { status: 'done', approve: true }],
    ['propose', { id: '../../x', title: 't', brief: 'b' }],
    ['learn', { text: '' }],
  ])('%s with the wrong input is refused and told why', async (tool, input) => {
    const agent = admitted('coder')
    expect(await agent.call(tool, input)).toMatchObject({ isError: true })
    expect(agent.heard).toEqual([])
  })
})

describe('which tools', () => {
  test.each(ROLES)('%s has those of its role and no others', async (role) => {
    const agent = admitted(role)
    const { body } = await send(agent.url, agent.headers, LIST)
    const { tools } = resultIn(body) as { tools: { name: string; description: string }[] }
    expect(tools.map(({ name }) => name).sort()).toEqual([...toolsOf(role, null)].sort())
    expect(tools.filter(({ description }) => description.length < 40)).toEqual([])
  })

  test.each([
    ['coder', 'review'],
    ['reviewer', 'report'],
    ['coder', 'approve'],
    ['coder', 'land'],
    ['planner', 'learn'],
  ] as const)('a %s cannot call %s', async (role, tool) => {
    const agent = admitted(role)
    const { body } = await send(agent.url, agent.headers, rpc('tools/call', { name: tool, arguments: {} }))
    expect(body).toMatch(/not found|unknown/i)
    expect(agent.heard).toEqual([])
  })
})

const LIST = rpc('tools/list', {})

function rpc(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function admitted(role: Role) {
  const heard: ToolCall[] = []
  const admission = endpoint.admit({
    attempt: 't1-a1' as AttemptId,
    round: 1,
    tools: toolsOf(role, null),
    answer: async (call) => {
      heard.push(call)
      return { isRefused: false, text: `heard ${call.kind}` }
    },
  })
  const headers = { authorization: `Bearer ${admission.token}` }
  const call = async (name: string, input: unknown) => {
    const { body } = await send(admission.url, headers, rpc('tools/call', { name, arguments: input }))
    return resultIn(body)
  }
  return { ...admission, headers, heard, call }
}

/** The result in an answer that comes as JSON or as one event. */
function resultIn(body: string): unknown {
  const json = /^data: (.*)$/m.exec(body)?.[1] ?? body
  return (JSON.parse(json) as { result: unknown }).result
}

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends headers as they are, Host and Origin too. */
function send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer> {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers: { ...usual, ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: text }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

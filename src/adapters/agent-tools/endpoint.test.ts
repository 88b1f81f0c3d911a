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
  const opened = await openEndpoint(null)
  if (isProblem(opened)) throw new Error(opened.message)
  endpoint = opened
})
afterAll(() => endpoint.close())

describe('access', () => {
  test('is granted with a token, and calls are answered', async () => {
    const agent = grantedTo('coder')
    const answer = await agent.call('report', { status: 'blocked', reason: 'no key' })
    expect(answer).toEqual({ content: [{ type: 'text', text: 'got report' }], isError: false })
    expect(agent.calls).toEqual([{ kind: 'report', claim: { kind: 'blocked', reason: 'no key' } }])
  })

  test.each([
    ['no token', {}],
    ['a made-up token', { authorization: 'Bearer made-up' }],
    ['another scheme', { authorization: 'Basic bWFkZTp1cA==' }],
  ])('is refused with %s', async (_, headers) => {
    const { url } = grantedTo('coder')
    expect(await send(url, headers, LIST)).toMatchObject({ status: 401 })
  })

  test('is refused after the round has ended', async () => {
    const agent = grantedTo('coder')
    agent.revoke()
    expect(await send(agent.url, agent.headers, LIST)).toMatchObject({ status: 401 })
    expect(agent.calls).toEqual([])
  })

  test('leads to the attempt of the token only', async () => {
    const [one, other] = [grantedTo('coder'), grantedTo('coder')]
    expect(one.token).not.toBe(other.token)
    await one.call('progress', { text: 'mine' })
    expect([one.calls.length, other.calls.length]).toEqual([1, 0])
  })

  test.each([
    ['way of another host', { host: 'longhaul.example:80' }],
    ['way of a name for this host', { host: 'localhost' }],
    ['way of a page of another origin', { origin: 'https://example.org' }],
    ['way of a page without an origin', { origin: 'null' }],
  ])('is refused by %s, even with a token', async (_, headers) => {
    const agent = grantedTo('coder')
    expect(await send(agent.url, { ...agent.headers, ...headers }, LIST)).toMatchObject({ status: 403 })
  })

  test('is not granted to pages of other origins by any answer', async () => {
    const agent = grantedTo('coder')
    const { headers } = await send(agent.url, agent.headers, LIST)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test.each(['/', '/mcp/', '/api/v1/tasks'])('there is nothing else at %s', async (path) => {
    const agent = grantedTo('coder')
    expect(await send(new URL(path, agent.url).href, agent.headers, LIST)).toMatchObject({ status: 404 })
  })
})

describe('what is sent', () => {
  test('too much is refused before it is read', async () => {
    const agent = grantedTo('coder')
    const huge = rpc('tools/call', { name: 'progress', arguments: { text: 'x'.repeat(300_000) } })
    expect(await send(agent.url, agent.headers, huge)).toMatchObject({ status: 413 })
  })

  test.each([
    ['no JSON', '{"jsonrpc":'],
    ['no JSON-RPC', '{"hello":"world"}'],
    ['nothing', ''],
  ])('%s is refused, and the endpoint goes on', async (_, body) => {
    const agent = grantedTo('coder')
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
  ])('%s with wrong input is refused with a reason', async (tool, input) => {
    const agent = grantedTo('coder')
    expect(await agent.call(tool, input)).toMatchObject({ isError: true })
    expect(agent.calls).toEqual([])
  })
})

describe('which tools', () => {
  test.each(ROLES)('%s has those of its role and no others', async (role) => {
    const agent = grantedTo(role)
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
    const agent = grantedTo(role)
    const { body } = await send(agent.url, agent.headers, rpc('tools/call', { name: tool, arguments: {} }))
    expect(body).toMatch(/not found|unknown/i)
    expect(agent.calls).toEqual([])
  })
})

const LIST = rpc('tools/list', {})

function rpc(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function grantedTo(role: Role) {
  const calls: ToolCall[] = []
  const access = endpoint.grantAccess({
    attempt: 't1-a1' as AttemptId,
    round: 1,
    tools: toolsOf(role, null),
    answer: async (call) => {
      calls.push(call)
      return { isRefused: false, text: `got ${call.kind}` }
    },
  })
  const headers = { authorization: `Bearer ${access.token}` }
  const call = async (name: string, input: unknown) => {
    const { body } = await send(access.url, headers, rpc('tools/call', { name, arguments: input }))
    return resultIn(body)
  }
  return { ...access, headers, calls, call }
}

/** Returns the result in an answer, which is JSON or one event. */
function resultIn(body: string): unknown {
  const json = /^data: (.*)$/m.exec(body)?.[1] ?? body
  return (JSON.parse(json) as { result: unknown }).result
}

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends a request with exactly these headers, including Host and Origin. */
function send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer> {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers: { ...usual, ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

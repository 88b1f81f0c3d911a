import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Loopback, readUntil } from '../../../../test/given/loopback.ts'
import { SOON } from '../../../../test/patience.ts'
import { NO_UPSTREAM } from '../../../core/sandbox/upstream-proxy.ts'
import { type ModelEndpointOptions, openModelEndpoint } from './model-endpoint.ts'
import type { SocketServer } from './socket-server.ts'

let net: Loopback
let endpoints: SocketServer[]

beforeEach(() => {
  net = new Loopback()
  endpoints = []
})
afterEach(async () => {
  await Promise.all(endpoints.map((endpoint) => endpoint.close()))
  await net.close()
})

const KEY = { 'x-api-key': 'the-key' }

/** Opens an endpoint for a model, and returns the port that an agent would use. */
async function endpointFor(target: string, options: Partial<ModelEndpointOptions> = {}): Promise<number> {
  const resolve = async () => ['127.0.0.1']
  const endpoint = openModelEndpoint({
    target: new URL(target),
    headers: KEY,
    upstream: NO_UPSTREAM,
    resolve,
    ...options,
  })
  endpoints.push(endpoint)
  return net.listen((socket) => endpoint.serve(socket))
}

async function endpointTo(answer: RequestListener, path = ''): Promise<number> {
  return endpointFor(`http://model.example:${await net.website(answer)}${path}`)
}

interface Call {
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  readonly agent?: Agent
}

function call(port: number, { path = '/v1/messages', headers = {}, body = '', agent }: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const use = agent === undefined ? {} : { agent }
    request({ port, path, method: 'POST', headers, ...use }, resolve)
      .on('error', reject)
      .end(body)
  })
}

describe('a request', () => {
  test.each([
    ['x-api-key', KEY, { 'x-api-key': 'made-up', Authorization: 'Bearer made-up', Cookie: 'a=b' }],
    ['authorization', { Authorization: 'Bearer the-key' }, { 'X-Api-Key': 'made-up', authorization: 'Bearer made-up' }],
    ['nothing of its own', KEY, {}],
  ])('gets the key in place of %s', async (_, headers, sent) => {
    let seen: IncomingMessage['headers'] = {}
    const site = await net.website((incoming, response) => {
      seen = incoming.headers
      response.end()
    })
    const port = await endpointFor(`http://model.example:${site}`, { headers })
    await text(await call(port, { headers: { ...sent, 'anthropic-version': '1', 'proxy-authorization': 'x' } }))
    const ours = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const framing = { host: `model.example:${site}`, connection: 'close', 'content-length': '0' }
    const { 'content-length': length = '0', 'transfer-encoding': _chunked, ...rest } = seen
    expect({ ...rest, 'content-length': length }).toEqual({ ...ours, ...framing, 'anthropic-version': '1' })
  })

  test.each([
    ['', '/v1/messages?beta=true', '/v1/messages?beta=true'],
    ['/team/', '/v1/messages', '/team/v1/messages'],
    ['/team', '/a/../b', '/team/b'],
    ['/team', '/../other', null],
    ['/team', '/%2e%2e/other', null],
    ['', '//evil.example/x', '//evil.example/x'],
    ['', '/\\evil.example/x', '//evil.example/x'],
    ['', 'http://evil.example/x', null],
    ['', '*', null],
  ])('below the base URL %j: %s becomes %s', async (base, path, expected) => {
    const seen: (string | undefined)[] = []
    const port = await endpointTo(({ url }, response) => {
      seen.push(url)
      response.end()
    }, base)
    const { statusCode } = await call(port, { path })
    expect([statusCode, seen]).toEqual(expected === null ? [400, []] : [200, [expected]])
  })

  test('and its answer may be large, and arrive as they were sent', async () => {
    const port = await endpointTo((incoming, response) => incoming.pipe(response))
    const body = Buffer.alloc(20_000_000, 'abcdefg')
    expect(body.equals(await buffer(await call(port, { body })))).toBe(true)
  })

  test('follows many others on one connection', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const port = await endpointTo((_, response) => response.end('yes'))
    const answers = await Promise.all(Array.from({ length: 15 }, async () => text(await call(port, { agent }))))
    agent.destroy()
    await new Promise(setImmediate)
    process.off('warning', note)
    expect([new Set(answers), warnings]).toEqual([new Set(['yes']), []])
  })
})

describe('an answer', () => {
  test('arrives event by event', async () => {
    let model: ServerResponse | undefined
    const port = await endpointTo((_, response) => {
      model = response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
    })
    const answer = await call(port, {})
    expect(answer.headers['content-type']).toBe('text/event-stream')
    const events = answer[Symbol.asyncIterator]()
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      model?.write(event)
      expect(String((await events.next()).value)).toBe(event)
    }
    model?.end()
    expect(await events.next()).toMatchObject({ done: true })
  })

  test('that is an error of the model arrives as it is', async () => {
    const port = await endpointTo((_, response) => {
      response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' }).end('{"type":"error"}')
    })
    const answer = await call(port, {})
    const { 'retry-after': wait } = answer.headers
    expect([answer.statusCode, wait, await text(answer)]).toEqual([429, '7', '{"type":"error"}'])
  })

  test('that redirects is not followed, so the key stays with the model', async () => {
    const port = await endpointTo((_, response) => {
      response.writeHead(307, { location: 'http://evil.example/' }).end()
    })
    expect((await call(port, {})).statusCode).toBe(307)
  })

  test('that is cut off is cut off for the agent, too', async () => {
    const port = await endpointTo((_, response) => {
      response.write('data: 1\n\n', () => response.destroy())
    })
    await expect(call(port, {}).then(text)).rejects.toThrow('aborted')
  })

  test('ends when the agent leaves', async () => {
    const models: ServerResponse[] = []
    const port = await endpointTo((_, response) => {
      models.push(response)
      response.write('data: 1\n\n')
    })
    const answer = await call(port, {})
    answer.destroy()
    await vi.waitFor(() => expect(models.map(({ destroyed }) => destroyed)).toEqual([true]), SOON)
  })
})

describe('a model that cannot be reached', () => {
  test.each([
    ['has no address', { resolve: async () => [] }, /no address/],
    ['is not known', { resolve: () => Promise.reject(new Error('ENOTFOUND')) }, /ENOTFOUND/],
    ['does not answer', { resolve: async () => ['127.0.0.2'] }, /ECONNREFUSED/],
  ])('because it %s is an API error that can be retried', async (_, options, why) => {
    const port = await endpointFor(`http://model.example:${await net.listen(() => {})}`, options)
    const answer = await call(port, { body: 'x'.repeat(100_000) })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([502, 'application/json'])
    expect(JSON.parse(await text(answer))).toEqual({
      type: 'error',
      error: { type: 'api_error', message: expect.stringMatching(why) },
    })
  })

  test.each([
    ['hangs up', ''],
    ['answers nonsense', 'nonsense\r\n\r\n'],
    ['speaks no TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('because it %s', async (_, bytes) => {
    const site = await net.listen((socket) => socket.once('data', () => socket.end(bytes)))
    const scheme = bytes.includes('400') ? 'https' : 'http'
    const port = await endpointFor(`${scheme}://model.example:${site}`)
    expect((await call(port, {})).statusCode).toBe(502)
  })

  test.each(['nonsense\r\n\r\n', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n'])(
    'and an agent that sends %j does not disturb other calls',
    async (bytes) => {
      const port = await endpointTo((_, response) => response.end('yes'))
      expect(await net.exchange(port, bytes)).not.toMatch(/ 200 /)
      expect(await text(await call(port, {}))).toBe('yes')
    },
  )
})

test.each([
  ['http', 'POST http://model.example/v1/messages HTTP/1.1'],
  ['https', 'CONNECT model.example:443 HTTP/1.1'],
])('the proxy of the user is used over %s, with its password', async (scheme, line) => {
  const heads: string[] = []
  const company = await net.listen((socket) => {
    void readUntil(socket, '\r\n\r\n').then((head) => {
      heads.push(head)
      socket.end('HTTP/1.1 407 Sign in\r\nContent-Length: 0\r\n\r\n')
    })
  })
  const proxy = `http://me:secret@127.0.0.1:${company}`
  const upstream = { http: proxy, https: proxy, except: [] }
  const port = await endpointFor(`${scheme}://model.example`, { upstream })
  const answer = await call(port, {})
  expect(heads[0]?.split('\r\n')[0]).toBe(line)
  expect(heads[0]).toMatch(/proxy-authorization: Basic bWU6c2VjcmV0/i)
  expect(await text(answer)).not.toContain('secret')
})

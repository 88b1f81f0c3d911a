import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Loopback, readAll, readUntil } from '../../../../test/given/loopback.ts'
import { SOON } from '../../../../test/patience.ts'
import { readHostRule } from '../../../core/sandbox/host-rules.ts'
import type { RefusedHost } from '../../../core/sandbox/network-access.ts'
import { NO_UPSTREAM } from '../../../core/sandbox/upstream-proxy.ts'
import { openProxy, type ProxyOptions } from './http-proxy.ts'
import type { SocketServer } from './socket-server.ts'

let net: Loopback
let proxies: SocketServer[]
let refused: RefusedHost[]
let seen: string[]
let site: number

beforeEach(async () => {
  net = new Loopback()
  proxies = []
  refused = []
  seen = []
  site = await net.website((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers.host} ${body}`)
      response.setHeader('x-names', Object.keys(request.headers).sort().join(' ')).end('hello')
    })
  })
})

afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await net.close()
})

const rules = (...texts: readonly string[]) =>
  texts.map(readHostRule).flatMap((read) => (read.kind === 'rule' ? [read.rule] : []))

/** Opens a proxy on a port of its own; names lead to 127.0.0.1, which the settings allow for `site.example`. */
async function proxyPort(options: Partial<ProxyOptions> = {}): Promise<number> {
  const allowed = rules(`site.example:${site}`)
  const proxy = openProxy({
    rules: [...allowed, ...rules(`*.site.example:${site}`)],
    allowAnyPublic: false,
    privateHosts: allowed,
    resolve: async () => ['127.0.0.1'],
    upstream: NO_UPSTREAM,
    onRefused: (one) => refused.push(one),
    ...options,
  })
  proxies.push(proxy)
  return net.listen((socket) => proxy.serve(socket))
}

const get = (url: string, headers = '') => `GET ${url} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const connect = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`
const statusOf = (answer: string) => Number(answer.split(' ')[1])

describe('an allowed host is reached', () => {
  test('by a plain request, with its own name and without headers for the proxy', async () => {
    const answer = await net.exchange(
      await proxyPort(),
      get(
        `http://Site.example:${site}/a%2fb?c=d`,
        'Proxy-Authorization: Basic eA==\r\nConnection: x-mine\r\nX-Mine: 1\r\nX-Kept: 2\r\n',
      ),
    )
    expect([statusOf(answer), answer.slice(-20)]).toEqual([200, expect.stringContaining('hello')])
    expect(answer).toMatch(/x-names: connection host x-kept\r\n/)
    expect(seen).toEqual([`GET /a%2fb?c=d site.example:${site} `])
  })

  test.each([
    ['a length', 'Content-Length: 5\r\n\r\nabcde', 'abcde'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde'],
    ['neither', '\r\n', ''],
  ])('with a body by %s, whatever the method', async (_, tail, body) => {
    const port = await proxyPort()
    for (const method of ['POST', 'GET', 'DELETE']) {
      const url = `http://site.example:${site}/`
      expect(statusOf(await net.exchange(port, `${method} ${url} HTTP/1.1\r\nHost: x\r\n${tail}`))).toBe(200)
    }
    expect(seen).toEqual(['POST', 'GET', 'DELETE'].map((method) => `${method} / site.example:${site} ${body}`))
  })

  test('by a tunnel, in both directions, each of which may end first', async () => {
    const upper = await net.listen((socket) => {
      void readAll(socket).then((text) => socket.end(text.toUpperCase()))
    })
    const allowed = rules(`site.example:${upper}`)
    const socket = net.connect(await proxyPort({ rules: allowed, privateHosts: allowed }))
    socket.write(`${connect(`site.example:${upper}`)}early, `)
    expect(await readUntil(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
    socket.end('late')
    expect(await readAll(socket)).toBe('EARLY, LATE')
  })

  test('only once per plain connection', async () => {
    const one = get(`http://site.example:${site}/1`)
    const answer = await net.exchange(await proxyPort(), one + get(`http://site.example:${site}/2`))
    expect(seen).toEqual([`GET /1 site.example:${site} `])
    expect(answer).toMatch(/connection: close/i)
  })

  test('at the address that was looked up, without a second look', async () => {
    const names: string[] = []
    const resolve = async (host: string) => {
      names.push(host)
      return ['127.0.0.1']
    }
    await net.exchange(await proxyPort({ resolve }), get(`http://site.example:${site}/`))
    expect(names).toEqual(['site.example'])
  })

  test('at its second address when the first does not answer', async () => {
    const resolve = async () => ['127.0.0.2', '127.0.0.1']
    expect(statusOf(await net.exchange(await proxyPort({ resolve }), get(`http://site.example:${site}/`)))).toBe(200)
  })
})

describe('a host is refused', () => {
  test.each([
    ['other.example:443', 'other.example', /sandbox\.hosts/],
    ['site.example:22', 'site.example', /port 22/],
    ['127.0.0.1:80', '127.0.0.1', /addresses are not allowed/],
    ['127.1:80', '127.1', /addresses/],
    ['2130706433:80', '2130706433', /addresses/],
    ['[::1]:80', '[::1]', /addresses/],
    ['[::ffff:169.254.169.254]:80', '[::ffff:169.254.169.254]', /addresses/],
    ['localhost:80', 'localhost', /sandbox\.hosts/],
  ])('by name or address: CONNECT %s', async (authority, host, why) => {
    const answer = await net.exchange(await proxyPort({ allowAnyPublic: false }), connect(authority))
    expect(answer).toMatch(/^HTTP\/1\.1 403 longhaul: .* was refused: /)
    expect(answer.split('\r\n\r\n')[1]).toMatch(why)
    expect(refused).toEqual([{ host, why: expect.stringMatching(why) }])
  })

  test.each(['http://other.example/', 'http://2130706433/', 'http://0x7f.1/', 'http://[::1]/', 'http://127.0.0.1./'])(
    'in a plain request: %s',
    async (url) => {
      const answer = await net.exchange(await proxyPort(), get(url))
      expect([statusOf(answer), refused.length]).toEqual([403, 1])
      expect(answer).toContain(`longhaul: ${refused[0]?.host} was refused: ${refused[0]?.why}`)
    },
  )

  test.each([
    ['private', ['10.0.0.1']],
    ['loopback', ['127.0.0.1', '::1']],
    ['of a metadata service', ['169.254.169.254']],
    ['mapped', ['::ffff:127.0.0.1']],
  ])('when its address is %s', async (_, addresses) => {
    const port = await proxyPort({ resolve: async () => addresses })
    expect(statusOf(await net.exchange(port, connect(`a.site.example:${site}`)))).toBe(403)
    expect(refused).toEqual([{ host: 'a.site.example', why: expect.stringContaining('private address') }])
    expect(seen).toEqual([])
  })

  test('when any public host is allowed, and this one is not public', async () => {
    const port = await proxyPort({ rules: [], privateHosts: [], allowAnyPublic: true })
    expect(statusOf(await net.exchange(port, connect('rebound.example:443')))).toBe(403)
    expect(statusOf(await net.exchange(port, connect('public.example:22')))).toBe(403)
    expect(refused.map(({ host }) => host)).toEqual(['rebound.example', 'public.example'])
  })
})

describe('a host that cannot be reached', () => {
  test.each([
    ['has no address', async () => [], /no address/],
    ['is not known', () => Promise.reject(new Error('getaddrinfo ENOTFOUND')), /ENOTFOUND/],
    ['has something else in place of an address', async () => ['site.example'], /no address/],
    ['does not answer', async () => ['127.0.0.2'], /ECONNREFUSED/],
  ])('because it %s is a failure, not a refusal', async (_, resolve, why) => {
    const port = await proxyPort({ resolve })
    const answers = [
      await net.exchange(port, connect(`site.example:${site}`)),
      await net.exchange(port, get(`http://site.example:${site}/`)),
    ]
    expect(answers.map(statusOf)).toEqual([502, 502])
    for (const answer of answers) expect(answer).toMatch(why)
    expect(refused).toEqual([])
  })

  test.each([
    ['closes at once', ''],
    ['answers nonsense', 'nonsense\r\n\r\n'],
    ['switches protocols', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['answers twice a length', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ])('because it %s', async (_, bytes) => {
    const odd = await net.listen((socket) => socket.once('data', () => socket.end(bytes)))
    const allowed = rules(`site.example:${odd}`)
    const port = await proxyPort({ rules: allowed, privateHosts: allowed })
    expect(statusOf(await net.exchange(port, get(`http://site.example:${odd}/`)))).toBe(502)
  })
})

describe('bad input', () => {
  const chunkedAndLength =
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://other.example/ HTTP/1.1\r\n\r\n'
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['bytes of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001', 400],
    ['a path alone', get('/'), 400],
    ['another scheme', get('ftp://site.example/'), 400],
    ['https without CONNECT', get('https://site.example/'), 400],
    ['a password in the URL', get('http://a:b@site.example/'), 400],
    ['a URL without a host', get('http://'), 400],
    ['CONNECT without a port', connect('site.example'), 400],
    ['CONNECT to a URL', connect('http://site.example/'), 400],
    ['CONNECT with a user', connect('a@site.example:443'), 403],
    ['CONNECT to port 99999', connect('site.example:99999'), 403],
    ['CONNECT to a name with odd bytes', connect('si\u00ffte.example:443'), 400],
    ['no Host', 'GET http://site.example/ HTTP/1.1\r\n\r\n', 400],
    ['a header with a bare line feed', get('http://site.example/', 'A: b\nC : d\r\n'), 400],
    ['a length and chunks', `POST http://site.example/ HTTP/1.1\r\nHost: x\r\n${chunkedAndLength}`, 400],
    [
      'two lengths',
      'POST http://site.example/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    ['a header that is too long', get('http://site.example/', `A: ${'b'.repeat(40_000)}\r\n`), 431],
    ['too many headers', get('http://site.example/', 'Name: value\r\n'.repeat(9_000)), 431],
  ])('%s is answered, and the next program is served', async (_, bytes, status) => {
    const port = await proxyPort()
    expect(statusOf(await net.exchange(port, bytes))).toBe(status)
    expect(statusOf(await net.exchange(port, get(`http://site.example:${site}/`)))).toBe(200)
    expect(seen.length).toBe(1)
  })

  test('a body behind thousands of headers is framed as it was', async () => {
    const many = 'A: b\r\n'.repeat(2_500)
    const url = `http://site.example:${site}/`
    const inner = `GET ${url}smuggled HTTP/1.1\r\nHost: x\r\n\r\n`
    const head = `GET ${url} HTTP/1.1\r\nHost: x\r\n${many}Transfer-Encoding: chunked\r\n\r\n`
    await net.exchange(await proxyPort(), `${head}${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`)
    expect(seen).toEqual([`GET / site.example:${site} ${inner}`])
  })

  test('chunks without an end never reach the host as a second request', async () => {
    const socket = net.connect(await proxyPort())
    socket.end(`POST http://site.example:${site}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab`)
    await readAll(socket)
    expect(seen).toEqual([])
  })

  test('a program that leaves while its host is looked up leaves nothing behind', async () => {
    let answerLookup: (addresses: readonly string[]) => void = () => {}
    const resolve = () => new Promise<readonly string[]>((answer) => (answerLookup = answer))
    const socket = net.connect(await proxyPort({ resolve }))
    socket.write(connect(`site.example:${site}`))
    const idle = answerLookup
    await vi.waitFor(() => expect(answerLookup).not.toBe(idle), SOON)
    socket.destroy()
    await proxies[0]?.close()
    answerLookup(['127.0.0.1'])
    await new Promise(setImmediate)
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap')).toEqual([])
  })
})

describe('limits', () => {
  test('connections above the limit are closed, and free again afterwards', async () => {
    const port = await proxyPort({ connectionsMax: 2 })
    const [first] = [net.connect(port), net.connect(port)] as const
    await once(first, 'connect')
    await vi.waitFor(async () => expect(await net.exchange(port, get('/'))).toBe(''), SOON)
    first.destroy()
    await vi.waitFor(async () => expect(statusOf(await net.exchange(port, get('/')))).toBe(400), SOON)
  })

  test('an idle connection is closed, before and within a tunnel', async () => {
    const silent = await net.listen(() => {})
    const allowed = rules(`site.example:${silent}`)
    const port = await proxyPort({ idleMs: 50, rules: allowed, privateHosts: allowed })
    expect(await net.exchange(port)).toBe('')
    expect(await net.exchange(port, connect(`site.example:${silent}`))).toMatch(/^HTTP\/1\.1 200 /)
    expect(await net.exchange(port, get(`http://site.example:${silent}/`))).toBe('')
  })
})

test('close ends every connection, on both sides', async () => {
  const ends: Promise<unknown>[] = []
  const silent = await net.listen((socket) => ends.push(readAll(socket)))
  const allowed = rules(`site.example:${silent}`)
  const port = await proxyPort({ rules: allowed, privateHosts: allowed })
  const idle = net.connect(port)
  const plain = net.connect(port)
  plain.write(get(`http://site.example:${silent}/`))
  const tunnel = net.connect(port)
  tunnel.write(connect(`site.example:${silent}`))
  await readUntil(tunnel, '\r\n\r\n')
  await vi.waitFor(() => expect(ends.length).toBe(2), SOON)
  const closed = [idle, plain, tunnel].map(readAll)
  await proxies[0]?.close()
  await Promise.all(closed)
  await Promise.all(ends)
  expect(statusOf(await net.exchange(port, get('/')))).toBe(Number.NaN)
})

describe('through the proxy of the user', () => {
  /** Stands for a company's proxy: answers plain requests itself and opens tunnels to the site. */
  async function company(status = '200 OK'): Promise<{ port: number; heads: string[] }> {
    const heads: string[] = []
    const port = await net.listen((socket: Socket) => {
      void readUntil(socket, '\r\n\r\n').then((head) => {
        heads.push(head)
        if (!head.startsWith('CONNECT')) return socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nby company')
        socket.write(`HTTP/1.1 ${status}\r\nProxy-Authenticate: Basic realm="company"\r\n\r\n`)
        return void readAll(socket).then((text) => socket.end(`tunnel: ${text}`))
      })
    })
    return { port, heads }
  }

  const upstream = (port: number, except: string[] = []) => {
    const url = `http://me:p%40ss%w@127.0.0.1:${port}`
    return { http: url, https: url, except }
  }
  const SIGN_IN = `proxy-authorization: Basic ${Buffer.from('me:p%40ss%w').toString('base64')}`
  const unresolved = () => Promise.reject(new Error('no names behind a proxy'))

  test('names are looked up there, and its password stays with us', async () => {
    const { port: companyPort, heads } = await company()
    const port = await proxyPort({ upstream: upstream(companyPort), resolve: unresolved })
    const plain = await net.exchange(port, get(`http://site.example:${site}/a?b`))
    const socket = net.connect(port)
    socket.write(connect(`site.example:${site}`))
    const opened = await readUntil(socket, '\r\n\r\n')
    socket.end('through')
    expect([plain, opened, await readAll(socket)]).toEqual([
      expect.stringMatching(/by company/),
      expect.stringMatching(/^HTTP\/1\.1 200 /),
      'tunnel: through',
    ])
    expect(heads.map((head) => head.split('\r\n')[0])).toEqual([
      `GET http://site.example:${site}/a?b HTTP/1.1`,
      `CONNECT site.example:${site} HTTP/1.1`,
    ])
    expect(heads.filter((head) => head.toLowerCase().includes(SIGN_IN.toLowerCase())).length).toBe(2)
    expect(plain + opened).not.toMatch(/basic|p%40ss|company"/i)
  })

  test('hosts of NO_PROXY are reached directly', async () => {
    const { port: companyPort, heads } = await company()
    const port = await proxyPort({ upstream: upstream(companyPort, ['site.example']) })
    expect(statusOf(await net.exchange(port, get(`http://site.example:${site}/`)))).toBe(200)
    expect([heads.length, seen.length]).toEqual([0, 1])
  })

  test('a host that is not allowed does not get there', async () => {
    const { port: companyPort, heads } = await company()
    const port = await proxyPort({ upstream: upstream(companyPort), allowAnyPublic: true })
    const answers = [
      await net.exchange(port, connect('10.0.0.1:443')),
      await net.exchange(port, connect('wiki.internal:443')),
      await net.exchange(port, connect('private.example:443')),
    ]
    expect([answers.map(statusOf), heads]).toEqual([[403, 403, 403], []])
    expect(refused.length).toBe(3)
  })

  test('any public host gets there when names cannot be looked up here', async () => {
    const { port: companyPort, heads } = await company()
    const port = await proxyPort({ upstream: upstream(companyPort), allowAnyPublic: true, resolve: unresolved })
    const socket = net.connect(port)
    socket.write(connect('public.example:443'))
    expect(await readUntil(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
    expect(heads.length).toBe(1)
  })

  test.each([
    ['refuses', '407 Proxy Authentication Required', /answered with status 407/],
    ['answers nonsense', 'x', /could not be reached/],
  ])('it %s, and the program gets a plain failure', async (_, status, words) => {
    const { port: companyPort } = await company(status)
    const port = await proxyPort({ upstream: upstream(companyPort) })
    const answer = await net.exchange(port, connect(`site.example:${site}`))
    expect(statusOf(answer)).toBe(502)
    expect(answer).toMatch(words)
    expect(answer).not.toMatch(/p%40ss|proxy-authenticate/i)
  })

  test.each(['socks5://me:secret@127.0.0.1:1', 'http://me:secret@:bad', 'http://me:secret@127.0.0.1:1'])(
    '%s cannot be used, and its password is not shown',
    async (url) => {
      const port = await proxyPort({ upstream: { http: url, https: url, except: [] } })
      const answers = [
        await net.exchange(port, connect(`site.example:${site}`)),
        await net.exchange(port, get(`http://site.example:${site}/`)),
      ]
      expect(answers.map(statusOf)).toEqual([502, 502])
      expect(answers.join()).not.toContain('secret')
    },
  )
})

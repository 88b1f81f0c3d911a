import { expect, test } from 'vitest'
import { NO_UPSTREAM, proxyFor, upstreamProxies } from './upstream-proxy.ts'

test.each([
  ['none', {}, NO_UPSTREAM],
  [
    'one for each scheme',
    { HTTP_PROXY: 'http://a', HTTPS_PROXY: 'http://b' },
    { http: 'http://a', https: 'http://b', except: [] },
  ],
  ['one for all', { ALL_PROXY: 'http://a' }, { http: 'http://a', https: 'http://a', except: [] }],
  [
    'lower case first',
    { HTTPS_PROXY: 'http://A', https_proxy: 'http://b' },
    { http: null, https: 'http://b', except: [] },
  ],
  ['empty values', { HTTPS_PROXY: '', https_proxy: '' }, NO_UPSTREAM],
  [
    'exceptions',
    { NO_PROXY: 'a.ORG, .b.org  c.org,' },
    { http: null, https: null, except: ['a.org', '.b.org', 'c.org'] },
  ],
])('the environment gives %s', (_, environment, proxies) => {
  expect(upstreamProxies(environment)).toEqual(proxies)
})

test.each([
  ['', 'a.org', 443, true],
  ['a.org', 'a.org', 443, false],
  ['a.org', 'A.org', 443, false],
  ['a.org', 'x.a.org', 443, false],
  ['.a.org', 'x.a.org', 443, false],
  ['*.a.org', 'x.a.org', 443, false],
  ['a.org', 'ba.org', 443, true],
  ['a.org:8443', 'a.org', 443, true],
  ['a.org:443', 'a.org', 443, false],
  ['*', 'a.org', 443, false],
  ['', 'localhost', 443, false],
  ['', '127.0.0.1', 443, false],
  ['', '127.0.0.1.evil.org', 443, true],
])('with NO_PROXY=%s, %s:%i goes through the proxy: %s', (NO_PROXY, host, port, isProxied) => {
  const proxies = upstreamProxies({ HTTPS_PROXY: 'proxy.corp:3128', NO_PROXY })
  expect(proxyFor(proxies, { host, port }, 'https')).toBe(isProxied ? 'http://proxy.corp:3128' : null)
  expect(proxyFor(proxies, { host, port }, 'http')).toBe(null)
})

import { describe, expect, test } from 'vitest'
import { isHostAllowed, readHostRule } from './host-rules.ts'

describe('an entry of the settings', () => {
  test.each([
    ['example.org', { kind: 'exact', name: 'example.org', ports: [443, 80] }],
    ['EXAMPLE.org.', { kind: 'exact', name: 'example.org', ports: [443, 80] }],
    ['example.org:8443', { kind: 'exact', name: 'example.org', ports: [8443] }],
    ['*.example.org', { kind: 'below', name: 'example.org', ports: [443, 80] }],
    ['*.example.org:22', { kind: 'below', name: 'example.org', ports: [22] }],
    ['*.a.co.uk', { kind: 'below', name: 'a.co.uk', ports: [443, 80] }],
    ['*.me.github.io', { kind: 'below', name: 'me.github.io', ports: [443, 80] }],
    ['*.t.co', { kind: 'below', name: 't.co', ports: [443, 80] }],
    ['xn--bcher-kva.example', { kind: 'exact', name: 'xn--bcher-kva.example', ports: [443, 80] }],
    ['buildserver', { kind: 'exact', name: 'buildserver', ports: [443, 80] }],
    ['my_db.internal:5432', { kind: 'exact', name: 'my_db.internal', ports: [5432] }],
  ])('%s is a rule', (text, rule) => {
    expect(readHostRule(text)).toEqual({ kind: 'rule', rule })
  })

  test.each([
    ['https://example.org', 'without a scheme'],
    ['ssh://example.org', 'without a scheme'],
    ['example.org/path', 'without a path'],
    ['user@example.org', 'without a path or user'],
    ['example.org?x', 'without a path'],
    ['10.0.0.1', 'not an address'],
    ['10.0.0.1:80', 'not an address'],
    ['127.1', 'not an address'],
    ['0x7f000001', 'not an address'],
    ['2130706433', 'not an address'],
    ['example.0x1', 'not an address'],
    ['[::1]', 'not an address'],
    ['[::1]:443', 'not an address'],
    ['::1', 'not an address'],
    ['fe80::1', 'not an address'],
    ['*.10.0.0.1', 'not an address'],
    ['*', 'sandbox.web'],
    ['*:443', 'sandbox.web'],
    ['*.com', 'narrower wildcard'],
    ['*.internal', 'narrower wildcard'],
    ['*.co.uk', 'narrower wildcard'],
    ['*.com.au', 'narrower wildcard'],
    ['*.github.io', 'narrower wildcard'],
    ['*.amazonaws.com', 'narrower wildcard'],
    ['*.s3.amazonaws.com', 'narrower wildcard'],
    ['*.s3.eu-west-1.amazonaws.com', 'narrower wildcard'],
    ['*.WORKERS.dev:443', 'narrower wildcard'],
    ['*.*.org', 'the name of a host'],
    ['a.*.org', 'the name of a host'],
    ['*example.org', 'the name of a host'],
    ['exa mple.org', 'the name of a host'],
    ['example.org\n', 'the name of a host'],
    ['', 'the name of a host'],
    ['.', 'the name of a host'],
    ['.example.org', 'the name of a host'],
    ['a..b', 'the name of a host'],
    ['-a.org', 'the name of a host'],
    ['bücher.example', 'the name of a host'],
    [`${'a'.repeat(64)}.org`, 'the name of a host'],
    [`${'abc.'.repeat(80)}org`, 'the name of a host'],
    ['example.org:0', 'a port from 1'],
    ['example.org:65536', 'a port from 1'],
    ['example.org:http', 'a port from 1'],
    ['localhost', 'sandbox.loopback'],
    ['localhost:3000', 'sandbox.loopback'],
    ['*.localhost', 'sandbox.loopback'],
  ])('%j is refused with words', (text, words) => {
    expect(readHostRule(text)).toEqual({ kind: 'fault', mustBe: expect.stringContaining(words) })
  })
})

test.each([
  ['example.org', 'example.org', 443, true],
  ['example.org', 'example.org', 80, true],
  ['example.org', 'example.org', 22, false],
  ['example.org', 'a.example.org', 443, false],
  ['example.org', 'badexample.org', 443, false],
  ['example.org', 'example.org.evil.com', 443, false],
  ['example.org:8443', 'example.org', 8443, true],
  ['example.org:8443', 'example.org', 443, false],
  ['*.example.org', 'a.example.org', 443, true],
  ['*.example.org', 'a.b.example.org', 443, true],
  ['*.example.org', 'example.org', 443, false],
  ['*.example.org', 'badexample.org', 443, false],
])('the rule %s for %s, port %i: %s', (text, host, port, isAllowed) => {
  const read = readHostRule(text)
  expect(isHostAllowed(read.kind === 'rule' ? [read.rule] : [], host, port)).toBe(isAllowed)
})

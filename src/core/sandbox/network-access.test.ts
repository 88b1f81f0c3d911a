import { describe, expect, test } from 'vitest'
import { exactRule } from './host-rules.ts'
import {
  allowedAddresses,
  type NetworkNeeds,
  networkAccess,
  type RefusedHost,
  refusedHostsNote,
  refuseTarget,
} from './network-access.ts'

const NEEDS: NetworkNeeds = {
  level: 'standard',
  isAgent: true,
  hosts: ['docs.example.org', '*.wild.example.org', 'db.corp:5432'],
  web: 'off',
  modelHosts: ['model.example.com'],
  registries: [exactRule('packages.example.org')],
  origin: 'https://git.example.net/o/r.git',
}

/** Lists which of some typical hosts may be reached. */
function reached(needs: Partial<NetworkNeeds>): string {
  const hosts =
    'docs.example.org a.wild.example.org model.example.com packages.example.org other.example.org git.example.net any.example'
  const access = networkAccess({ ...NEEDS, ...needs })
  return hosts
    .split(' ')
    .filter((host) => refuseTarget(access, { host, port: 443 }) === null)
    .join(' ')
}

const NAMED = 'docs.example.org a.wild.example.org'

test.each<[string, Partial<NetworkNeeds>, string]>([
  ['an agent', {}, `${NAMED} model.example.com packages.example.org git.example.net`],
  ['a check', { isAgent: false }, `${NAMED} packages.example.org git.example.net`],
  [
    'an agent with web',
    { web: 'on' },
    `${NAMED} model.example.com packages.example.org other.example.org git.example.net any.example`,
  ],
  ['a check, whatever web says', { isAgent: false, web: 'on' }, `${NAMED} packages.example.org git.example.net`],
  ['a strict agent', { level: 'strict', web: 'on' }, `${NAMED} model.example.com`],
  ['a strict check', { level: 'strict', isAgent: false }, NAMED],
  [
    'a project of two registries',
    { hosts: [], registries: [exactRule('packages.example.org'), exactRule('other.example.org')], origin: null },
    'model.example.com packages.example.org other.example.org',
  ],
])('%s reaches the hosts it needs', (_, needs, hosts) => {
  expect(reached(needs)).toBe(hosts)
})

test.each([
  ['https://git.example.net/o/r.git', 'git.example.net', [443, 80]],
  ['https://user:secret@git.example.net/o/r.git', 'git.example.net', [443, 80]],
  ['https://git.example.net:8443/o/r', 'git.example.net', [8443]],
  ['git@git.example.net:o/r.git', 'git.example.net', [443, 80]],
  ['ssh://git@git.example.net:2222/o/r', 'git.example.net', [443, 80]],
  ['git://git.example.net/o/r', 'git.example.net', [443, 80]],
  ['/srv/git/r.git', null, []],
  ['../r.git', null, []],
  ['C:/git/r', null, []],
  ['file:///srv/r.git', null, []],
  ['https://10.0.0.1/r.git', null, []],
  ['https://[::1]/r.git', null, []],
  ['', null, []],
])('the origin %s allows %s', (origin, host, ports) => {
  const { rules } = networkAccess({ ...NEEDS, hosts: [], modelHosts: [], registries: [], origin })
  expect(rules).toEqual(host === null ? [] : [{ kind: 'exact', name: host, ports }])
})

describe('a refusal', () => {
  const access = networkAccess(NEEDS)
  const open = networkAccess({ ...NEEDS, web: 'on' })

  test.each([
    ['other.example', 443, 'the settings do not allow the host; a person can add "other.example" to sandbox.hosts'],
    [
      'other.example',
      25,
      'the settings do not allow port 25 of the host; a person can add "other.example:25" to sandbox.hosts',
    ],
    ['169.254.169.254', 80, 'addresses are not allowed; use the name of the host'],
    ['[::1]', 80, 'addresses are not allowed; use the name of the host'],
    ['0x7f.1', 80, 'addresses are not allowed; use the name of the host'],
  ])('of %s, port %i, says what a person can do', (host, port, why) => {
    expect(refuseTarget(access, { host, port })).toEqual({ host, why })
  })

  test.each([
    ['localhost', 443],
    ['metadata.google.internal', 80],
    ['printer.local', 80],
    ['intranet', 443],
    ['any.example', 22],
  ])('with web: on still meets %s, port %i', (host, port) => {
    expect(refuseTarget(open, { host, port })).toMatchObject({ host })
  })

  test('bounds and cleans a name that a program made up', () => {
    const { host } = refuseTarget(access, { host: `a\n\u001b[31m${'b'.repeat(999)}`, port: 443 }) as RefusedHost
    expect([host.length, host.slice(0, 8)]).toEqual([253, 'a??[31mb'])
  })
})

describe('addresses', () => {
  const access = networkAccess(NEEDS)
  const PRIVATE = { why: expect.stringMatching(/private address.*sandbox\.hosts/) }

  test.each([
    [
      'public ones are kept',
      'packages.example.org',
      443,
      ['1.1.1.1', '10.0.0.1', '2606:4700::1'],
      ['1.1.1.1', '2606:4700::1'],
    ],
    ['a private one is refused', 'packages.example.org', 443, ['10.0.0.1'], PRIVATE],
    ['a private one below a wildcard is refused', 'a.wild.example.org', 443, ['192.168.1.1'], PRIVATE],
    ['a host that the settings name may be private', 'db.corp', 5432, ['10.0.0.1'], ['10.0.0.1']],
    ['only on the port that they name', 'db.corp', 443, ['10.0.0.1'], PRIVATE],
    ['none stays none', 'packages.example.org', 443, [], []],
  ])('%s', (_, host, port, addresses, expected) => {
    const kept = allowedAddresses(access, { host, port }, addresses)
    expect('why' in kept ? { why: kept.why } : kept).toEqual(expected)
  })
})

test('the output of a command names each refused host once', () => {
  const refused = ['a.example', 'b.example', 'a.example'].map((host) => ({ host, why: 'no' }))
  expect(refusedHostsNote(refused)).toBe('longhaul: a.example was refused: no\nlonghaul: b.example was refused: no\n')
  expect(refusedHostsNote([])).toBe('')
  const many = Array.from({ length: 30 }, (_, index) => ({ host: `h${index}.example`, why: 'no' }))
  expect(refusedHostsNote(many)).toMatch(/h19\.example was refused: no\nlonghaul: 10 more hosts were refused\n$/)
})

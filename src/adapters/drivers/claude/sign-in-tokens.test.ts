import { expect, test } from 'vitest'
import { copyFor, isRenewal, newestTokens, parseSignIn, type StoredSignIn, withTokens } from './sign-in-tokens.ts'

const HOUR_MS = 3_600_000
const NOW = 1_800_000_000_000
const USERS = signIn('a', 8)

function signIn(name: string, hours: number, about: object = {}): StoredSignIn {
  const stored = parseSignIn(fileOf(name, hours, about))
  if (stored === null) throw new Error('not a sign-in')
  return stored
}

function fileOf(name: string, hours: number, about: object = {}): string {
  const tokens = { accessToken: `access-${name}`, refreshToken: `refresh-${name}`, expiresAt: NOW + hours * HOUR_MS }
  return JSON.stringify({ claudeAiOauth: { ...tokens, scopes: ['user:inference'], ...about } })
}

test.each<[string, StoredSignIn, boolean]>([
  ['the same tokens', signIn('a', 8), false],
  ['the same tokens with a later time', signIn('a', 9), false],
  ['newer tokens', signIn('b', 9), true],
  ['other tokens that end at the same time', signIn('b', 8), false],
  ['older tokens', signIn('b', 7), false],
  ['tokens that last for years', signIn('b', 24 * 365), false],
  ['tokens of the account that the user has', signIn('b', 9, { organizationUuid: 'ours' }), true],
  ['tokens of another account', signIn('b', 9, { accountUuid: 'theirs' }), false],
  ['tokens of another organization', signIn('b', 9, { organizationUuid: 'theirs' }), false],
  ['tokens that another program got', signIn('b', 9, { clientId: 'theirs' }), false],
])('a renewal: %s', (_name, copy, expected) => {
  const users = signIn('a', 8, { accountUuid: 'ours', organizationUuid: 'ours', clientId: 'ours' })
  expect(isRenewal(users, copy, NOW)).toBe(expected)
})

test.each<[string, readonly StoredSignIn[], string]>([
  ['without copies', [], 'access-a'],
  ['of copies that did not change', [USERS, USERS], 'access-a'],
  ['of two renewed copies', [signIn('b', 9), signIn('c', 10), USERS], 'access-c'],
  ['when the user has signed in since', [signIn('b', 6)], 'access-a'],
])('the newest tokens %s', (_name, copies, expected) => {
  expect(newestTokens(USERS, copies, NOW).accessToken).toBe(expected)
})

test.each<[string, string | null]>([
  ['nothing', null],
  ['an empty file', ''],
  ['a file that was cut short', fileOf('a', 8).slice(0, -9)],
  ['no sign-in', '{}'],
  ['a sign-in that ended', fileOf('a', 8, { accessToken: '', refreshToken: '' })],
  ['a token that is not text', fileOf('a', 8, { accessToken: ['x'] })],
  ['a token of two lines', fileOf('a', 8, { refreshToken: 'x\nAuthorization: y' })],
  ['a token without an end', fileOf('a', 8, { refreshToken: 'x'.repeat(5000) })],
  ['a time in words', fileOf('a', 8, { expiresAt: 'tomorrow' })],
  ['no time', fileOf('a', 8, { expiresAt: null })],
  ['a list', '[]'],
])('no sign-in: %s', (_name, text) => {
  expect(parseSignIn(text)).toBeNull()
})

test("only tokens go into the user's file", () => {
  const users = {
    mcpOAuth: { github: 'secret' },
    claudeAiOauth: { ...JSON.parse(fileOf('a', 8)).claudeAiOauth, kept: 1 },
  }
  const copy = signIn('b', 9, { scopes: ['everything'], planted: true })
  expect(JSON.parse(withTokens(JSON.stringify(users), copy.tokens))).toEqual({
    mcpOAuth: { github: 'secret' },
    claudeAiOauth: { ...JSON.parse(fileOf('b', 9)).claudeAiOauth, kept: 1 },
  })
})

test('a copy has the sign-in alone, and later agents renew it later', () => {
  const expiries = [0, 1, 4, 9].map((place) => parseSignIn(copyFor(USERS, place))?.tokens.expiresAt)
  expect(expiries.map((at) => ((at ?? 0) - USERS.tokens.expiresAt) / 60_000)).toEqual([0, 1, 4, 4])
  const users = JSON.parse(fileOf('a', 8))
  const stored = parseSignIn(JSON.stringify({ ...users, mcpOAuth: { github: 'secret' } }))
  expect(JSON.parse(copyFor(stored ?? USERS, 0))).toEqual(users)
})

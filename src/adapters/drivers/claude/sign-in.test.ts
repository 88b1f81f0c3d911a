import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../../process/start/run-command.ts'
import { SignIns } from './sign-in.ts'

const NOW = 1_800_000_000_000
const HOUR_MS = 3_600_000
const MINE = { mcpOAuth: { server: 'secret of the user' } }
let root = ''
let file = ''
let signIns: SignIns
const agents = () => [join(root, 'a'), join(root, 'b')] as const
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-sign-in-')))
  mkdirSync(join(root, 'user'))
  file = join(root, 'user', '.credentials.json')
  writeFileSync(file, textOf('first', 8, MINE))
  signIns = new SignIns({ now: () => NOW })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('an agent has a copy of the sign-in alone, for one round', () => {
  const [folder] = agents()
  const lent = signIns.lend(file, folder)
  expect(readdirSync(folder)).toEqual(['.credentials.json'])
  expect(readFileSync(copyIn(folder), 'utf8')).toBe(textOf('first', 8))
  expect(lstatSync(copyIn(folder)).mode & 0o777).toBe(0o600)
  expect([...lent.secrets]).toEqual(['access-first', 'refresh-first'])
  lent.end()
  expect(readdirSync(folder)).toEqual([])
  expect(readFileSync(file, 'utf8')).toBe(textOf('first', 8, MINE))
})

test('renewed tokens reach the user and the other agents, and nothing else does', () => {
  const [a, b] = agents()
  const lent = [signIns.lend(file, a), signIns.lend(file, b)]
  writeFileSync(copyIn(a), textOf('renewed', 16, { mcpOAuth: 'planted' }, { scopes: ['planted'] }))
  lent[0]?.end()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(textOf('renewed', 16, MINE)))
  expect(lstatSync(file).mode & 0o777).toBe(0o600)
  expect(tokenIn(copyIn(b))).toBe('access-renewed')
  expect([...(lent[1]?.secrets ?? [])]).toContain('refresh-renewed')
  expect(readdirSync(join(root, 'user'))).toEqual(['.credentials.json'])
})

test('a file that the user keeps elsewhere is renewed there', () => {
  const [folder] = agents()
  const link = join(root, 'link.json')
  symlinkSync(file, link)
  const lent = signIns.lend(link, folder)
  writeFileSync(copyIn(folder), textOf('renewed', 16))
  lent.end()
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(tokenIn(file)).toBe('access-renewed')
})

test('tokens that the user got meanwhile win when they are newer, and reach the agents', () => {
  const [a, b] = agents()
  const lent = signIns.lend(file, a)
  writeFileSync(copyIn(a), textOf('renewed', 16))
  writeFileSync(file, textOf('users', 17))
  signIns.lend(file, b)
  expect([file, copyIn(a), copyIn(b)].map(tokenIn)).toEqual(Array(3).fill('access-users'))
  writeFileSync(file, textOf('other', 9))
  writeFileSync(copyIn(a), textOf('renewed', 18))
  lent.end()
  expect([file, copyIn(b)].map(tokenIn)).toEqual(Array(2).fill('access-renewed'))
})

test('a user who signed out stays signed out', () => {
  const [a, b] = agents()
  const lent = signIns.lend(file, a)
  writeFileSync(copyIn(a), textOf('renewed', 16))
  rmSync(file)
  lent.end()
  signIns.lend(file, b)
  expect([file, copyIn(a), copyIn(b)].map(existsSync)).toEqual([false, false, false])
})

test('tokens that an agent of a killed engine renewed are not lost', () => {
  const [folder] = agents()
  mkdirSync(folder)
  writeFileSync(copyIn(folder), textOf('renewed', 16))
  signIns.lend(file, folder)
  expect([file, copyIn(folder)].map(tokenIn)).toEqual(['access-renewed', 'access-renewed'])
})

// Each is done by an agent, to put something into the user's file, or to make the engine read or wait for something else.
test.each<[string, (copy: string) => unknown]>([
  ['a link', (copy) => symlinkSync(elsewhere(), copy)],
  ['a pipe', (copy) => runCommand({ file: 'mkfifo', args: [copy], cwd: root, env: { PATH: '/usr/bin:/bin' } })],
  ['a folder', (copy) => mkdirSync(join(copy, 'in', 'folders'), { recursive: true })],
  ['nothing', () => {}],
  ['a large file', (copy) => writeFileSync(copy, textOf('planted', 16, { padding: 'x'.repeat(65_536) }))],
  ['older tokens', (copy) => writeFileSync(copy, textOf('planted', 7))],
  ['tokens for ever', (copy) => writeFileSync(copy, textOf('planted', 1_000_000))],
])('%s in place of the copy changes nothing of the user, and the next round has a copy again', async (_name, plant) => {
  const [folder] = agents()
  const lent = signIns.lend(file, folder)
  rmSync(copyIn(folder))
  await plant(copyIn(folder))
  lent.end()
  expect(readFileSync(file, 'utf8')).toBe(textOf('first', 8, MINE))
  await plant(copyIn(folder))
  signIns.lend(file, folder)
  expect([file, copyIn(folder)].map(tokenIn)).toEqual(['access-first', 'access-first'])
})

function copyIn(folder: string): string {
  return join(folder, '.credentials.json')
}

function textOf(name: string, hours: number, beside: object = {}, about: object = {}): string {
  const tokens = { accessToken: `access-${name}`, refreshToken: `refresh-${name}`, expiresAt: NOW + hours * HOUR_MS }
  return JSON.stringify({ ...beside, claudeAiOauth: { scopes: ['user:inference'], ...tokens, ...about } })
}

function tokenIn(path: string): unknown {
  return (JSON.parse(readFileSync(path, 'utf8')) as { claudeAiOauth: { accessToken: unknown } }).claudeAiOauth
    .accessToken
}

/** Writes newer tokens into a file that is not the agent's. */
function elsewhere(): string {
  const path = join(root, 'elsewhere.json')
  writeFileSync(path, textOf('planted', 16))
  return path
}

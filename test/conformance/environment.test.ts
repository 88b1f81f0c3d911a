import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { gitAt } from '../../src/git/git.ts'
import { readSettings } from '../../src/git/settings.ts'
import { buildEnvironment } from '../../src/process/start/environment.ts'
import { enterTestEnvironment, TEST_PATH, testEnvironment } from '../environment.ts'
import { memoryFolder } from '../memory-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'longhaul-environment-'))
afterAll(() => rmSync(root, { recursive: true }))
const home = join(root, 'home')
mkdirSync(home)

const SETTINGS = [
  { key: 'commit.gpgsign', value: 'true' },
  { key: 'core.autocrlf', value: 'input' },
]
const HOSTILE = { GIT_CONFIG_SYSTEM: join(root, 'gitconfig') }
writeFileSync(HOSTILE.GIT_CONFIG_SYSTEM, '[commit]\n\tgpgsign = true\n[core]\n\tautocrlf = input\n')

const started = { ...testEnvironment(home), ...HOSTILE }

test('without the test environment, git reads the settings of the machine', async () => {
  const env = { PATH: TEST_PATH, HOME: home, ...HOSTILE }
  expect(listed(env)).toBe('commit.gpgsign=true\ncore.autocrlf=input\n')
  expect(await readSettings(gitAt({ folder: root }, env))).toEqual(SETTINGS)
})

describe('settings of the machine and the user are hidden from', () => {
  test.each([
    ['git of the test itself', { ...process.env, ...HOSTILE }],
    ['git that a test starts', started],
    ['git of an agent and of a check', buildEnvironment(started, [], {})],
  ])('%s', (_, env) => {
    expect(listed(env)).toBe('')
  })

  test('git of the engine', async () => {
    expect(await readSettings(gitAt({ folder: root }, started))).toEqual([])
  })
})

test('a test process keeps no variables that the user has set for other programs', () => {
  const kept = { TMPDIR: '/fast', VITEST: 'true', USER_HOME: '/u' }
  const own: NodeJS.ProcessEnv = {
    CI: 'true',
    FORCE_COLOR: '1',
    NO_COLOR: '1',
    TZ: 'Asia/Tokyo',
    LC_ALL: 'de_DE.UTF-8',
    EDITOR: 'vi',
    GIT_DIR: '/elsewhere',
    GIT_CONFIG_GLOBAL: '/u/gitconfig',
    XDG_CONFIG_HOME: '/u/config',
    HOME: '/u',
    NODE_OPTIONS: '--inspect',
    npm_config_loglevel: 'silly',
    PATH: '/u/bin',
    HTTP_PROXY: 'http://proxy.invalid',
    ...kept,
  }
  enterTestEnvironment(own)
  expect(own).toEqual({ ...kept, ...testEnvironment('/nonexistent') })
})

function listed(env: NodeJS.ProcessEnv): string {
  return execFileSync('git', ['config', '--list'], { cwd: root, env, encoding: 'utf8' })
}

test.each([
  ['is missing', '/missing'],
  ['has no room', '/proc'],
])('temporary files stay where they are when the folder in memory %s', (_, inMemory) => {
  expect(memoryFolder('/usual', inMemory)).toBe('/usual')
})

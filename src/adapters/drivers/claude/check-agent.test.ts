import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { claudeBinary } from '../../../../test/agents/claude.ts'
import { testEnvironment } from '../../../../test/environment.ts'
import { HANG_MS } from '../../../../test/patience.ts'
import { runCommand } from '../../../process/start/run-command.ts'
import { checkAgent, KEYS } from './check-agent.ts'

const root = mkdtempSync(join(tmpdir(), 'longhaul-ready-'))
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
const ENV = { ...testEnvironment(root), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }

function program(name: string, script: string): string {
  const file = join(root, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

test('the real agent is ready with a key, and signed out without one', async () => {
  expect(await checkAgent(claudeBinary(), { ...ENV, ANTHROPIC_API_KEY: 'test-key' })).toBeNull()
  expect(await checkAgent(claudeBinary(), ENV)).toMatchObject({
    code: 'agent-signed-out',
    hint: expect.stringContaining('claude auth login'),
  })
})

test.each(KEYS)('with %s the real agent reports a sign-in, so it is not asked', async (name) => {
  const env = { ...ENV, [name]: 'test-key' }
  const args = ['auth', 'status', '--json']
  const status = await runCommand({ file: claudeBinary(), args, cwd: '/', env, timeoutMs: HANG_MS })
  expect(JSON.parse(status.kind === 'ended' ? status.stdout.toString() : '')).toMatchObject({ loggedIn: true })
})

test('an agent without a key, or with an empty one, is asked', async () => {
  const signedOut = program('signed-out', 'case $1 in auth) echo \'{"loggedIn":false}\' ;; *) echo 2.1.325 ;; esac')
  expect(await checkAgent(signedOut, ENV)).toMatchObject({ code: 'agent-signed-out' })
  expect(await checkAgent(signedOut, { ...ENV, ANTHROPIC_API_KEY: '' })).toMatchObject({ code: 'agent-signed-out' })
  expect(await checkAgent(signedOut, { ...ENV, ANTHROPIC_API_KEY: 'test-key' })).toBeNull()
})

test.each([
  ['2.1.9', 'agent-too-old'],
  ['1.99.999', 'agent-too-old'],
])('version %s: %s', async (version, code) => {
  const old = program(`claude-${version}`, `echo "${version} (Claude Code)"`)
  expect(await checkAgent(old, ENV)).toMatchObject({ code, message: expect.stringContaining(version) })
})

test.each(['2.1.325', '2.2.0', '10.0.0'])(
  'version %s is new enough, and counts as signed in when it does not say',
  async (version) => {
    expect(await checkAgent(program(`claude-${version}`, `echo "${version} (Claude Code)"`), ENV)).toBeNull()
  },
)

test('a program that does not run is missing', async () => {
  expect(await checkAgent(program('broken', 'echo "wrong machine" >&2; exit 1'), ENV)).toMatchObject({
    code: 'agent-missing',
    message: expect.stringContaining('wrong machine'),
  })
  expect(await checkAgent(join(root, 'nowhere'), ENV)).toMatchObject({ code: 'agent-missing' })
})

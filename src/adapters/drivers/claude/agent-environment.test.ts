import { expect, test } from 'vitest'
import { agentEnvironment } from './agent-environment.ts'

const NEEDS = { agent: { access: 'workspace', subagents: 3 }, policy: 'hand-off', isRoot: false } as const

test('has common variables, those of the agent, and last those of the settings', () => {
  const env = agentEnvironment(NEEDS, { PATH: '/bin' }, { DISABLE_TELEMETRY: '0', MINE: 'x' })
  expect(env).toMatchObject({ PATH: '/bin', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '0', MINE: 'x' })
  expect(env).toMatchObject({ CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: '3', DISABLE_AUTO_COMPACT: '1' })
})

test('lets the agent compact under that policy', () => {
  expect(agentEnvironment({ ...NEEDS, policy: 'compact' }, {}, {})).not.toHaveProperty('DISABLE_AUTO_COMPACT')
})

test.each([
  ['full', true, true],
  ['full', false, false],
  ['workspace', true, false],
] as const)('access %s as root (%s) vouches for a sandbox: %s', (access, isRoot, isTold) => {
  const env = agentEnvironment({ ...NEEDS, isRoot, agent: { access, subagents: 0 } }, {}, {})
  expect('IS_SANDBOX' in env).toBe(isTold)
})

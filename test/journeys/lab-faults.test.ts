import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentFolders, type ClaudeRun, runClaude } from '../agents/claude.ts'
import { testLab } from '../agents/test-lab.ts'

test('Claude Code survives temporary faults and does each step once', async () => {
  const lab = await testLab(`
rules:
  - steps:
      - { run: echo 1 >> steps.txt, fault: { status: 529, times: 1 } }
      - { run: echo 2 >> steps.txt, fault: { status: 429, retryAfter: 1, times: 1 } }
      - { run: echo 3 >> steps.txt, fault: { cut: true, times: 1 } }
      - { run: echo 4 >> steps.txt, fault: { slow: 0.2 } }
      - report: done
`)
  const folders = agentFolders()
  const run = await runClaude(lab.url, 'Go.', { folders })
  expect(run.result).toMatchObject({ subtype: 'success', is_error: false, terminal_reason: 'completed' })
  expect(readFileSync(join(folders.folder, 'steps.txt'), 'utf8')).toBe('1\n2\n3\n4\n')
  expect(retries(run)).toEqual([
    { error_status: 529, error: 'overloaded', retry_delay_ms: expect.any(Number) },
    { error_status: 429, error: 'rate_limit', retry_delay_ms: 1000 },
    { error_status: null, error: 'unknown', retry_delay_ms: expect.any(Number) },
  ])
  const [slow = 0, next = 0] = lab.requests.slice(-2).map(({ at }) => at)
  expect(next - slow).toBeGreaterThan(800)
})

const KEY = { CLAUDE_CODE_MAX_RETRIES: '0' }
const SUBSCRIPTION = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'test-token' }

const ENDS: readonly (readonly [fault: string, env: Readonly<Record<string, string>>, result: object])[] = [
  ['{ status: 401 }', KEY, { terminal_reason: 'api_error', api_error_status: 401 }],
  ['{ status: 529 }', KEY, { terminal_reason: 'api_error', api_error_status: 529 }],
  [
    '{ silent: true }',
    { ...KEY, API_TIMEOUT_MS: '1000' },
    { terminal_reason: 'api_error', api_error_status: null, result: 'Request timed out' },
  ],
  ['{ tooLong: true }', KEY, { terminal_reason: 'prompt_too_long', api_error_status: 400 }],
  ['{ refuse: true }', KEY, { terminal_reason: 'api_error', api_error_status: null, stop_reason: 'refusal' }],
  ['{ truncate: true }', KEY, { terminal_reason: 'api_error', stop_reason: 'stop_sequence' }],
  ['{ limit: "+3600" }', KEY, { terminal_reason: 'api_error', api_error_status: 429 }],
  ['{ limit: "+3600" }', SUBSCRIPTION, { terminal_reason: 'api_error', api_error_status: 429 }],
]

test.each(ENDS)('%s ends the round, with %j', async (fault, env, result) => {
  const lab = await testLab(`rules: [ { steps: [ { run: echo 1 > steps.txt, fault: ${fault} } ] } ]`)
  const folders = agentFolders()
  const run = await runClaude(lab.url, 'Go.', { folders, env })
  expect(run.exitCode).toBe(1)
  // Every result has the subtype success: only the flag and the reason show the failure.
  expect(run.result).toMatchObject({ subtype: 'success', is_error: true, ...result })
  expect(existsSync(join(folders.folder, 'steps.txt'))).toBe(false)
  expect(reportedLimits(run)).toEqual(
    env === SUBSCRIPTION
      ? [{ status: 'rejected', rateLimitType: 'five_hour', resetsAt: resetSeconds(lab.requests) }]
      : [],
  )
})

function retries({ messages }: ClaudeRun): readonly object[] {
  return messages
    .filter(({ subtype }) => subtype === 'api_retry')
    .map(({ error_status, error, retry_delay_ms }) => ({ error_status, error, retry_delay_ms }))
}

/** Limits that Claude Code reports, with their reset time; it does so only for subscriptions. */
function reportedLimits({ messages }: ClaudeRun): readonly object[] {
  return messages
    .filter(({ type }) => type === 'rate_limit_event')
    .map((message) => {
      const { status, rateLimitType, resetsAt } = message.rate_limit_info as Record<string, unknown>
      return { status, rateLimitType, resetsAt }
    })
}

function resetSeconds(requests: readonly { readonly at: number }[]): number {
  return Math.ceil(((requests[0]?.at ?? 0) + 3_600_000) / 1000)
}

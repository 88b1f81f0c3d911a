import { describe, expect, test } from 'vitest'
import type { AgentEndKind } from '../../../core/model/round.ts'
import { endOf, kindOfError, type Result, type RoundSignals } from './round-end.ts'

const QUIET: RoundSignals = { claim: null, error: null, limit: null, isRefused: false, toolsDone: 1, denied: [] }
const TIME = { now: Date.parse('2026-11-15T18:30:00Z'), zone: 'UTC' }
const DONE: Result = { subtype: 'success', is_error: false, terminal_reason: 'completed', stop_reason: 'end_turn' }
const FAILED: Result = { subtype: 'success', is_error: true, terminal_reason: 'api_error', api_error_status: null }

describe('a result decides the end', () => {
  test.each<[string, Result, Partial<RoundSignals>, AgentEndKind]>([
    ['done', DONE, {}, 'ok'],
    [
      'turns used up',
      { ...DONE, subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' },
      {},
      'max-turns',
    ],
    ['turns used up, of an older agent', { subtype: 'error_max_turns', is_error: true }, {}, 'max-turns'],
    ['budget', { subtype: 'error_max_budget_usd', is_error: true, terminal_reason: 'budget_exhausted' }, {}, 'budget'],
    ['budget, of an older agent', { subtype: 'error_max_budget_usd', is_error: true }, {}, 'budget'],
    [
      'prompt too long: success, and an error',
      { ...FAILED, terminal_reason: 'prompt_too_long' },
      {},
      'context-exhausted',
    ],
    ['its own limit for context', { ...FAILED, terminal_reason: 'blocking_limit' }, {}, 'context-exhausted'],
    ['compaction that does not help', { ...FAILED, terminal_reason: 'rapid_refill_breaker' }, {}, 'context-exhausted'],
    [
      'no answer that fits its form',
      {
        subtype: 'error_max_structured_output_retries',
        is_error: true,
        terminal_reason: 'structured_output_retry_exhausted',
      },
      {},
      'ok',
    ],
    ['a refusal', { ...DONE, stop_reason: 'refusal' }, {}, 'refused'],
    ['a refusal as an error', { ...FAILED, stop_reason: 'refusal' }, {}, 'refused'],
    ['a refusal during the round', FAILED, { isRefused: true }, 'refused'],
    ['an answer cut off', { ...DONE, stop_reason: 'max_tokens' }, {}, 'truncated'],
    ['an answer cut off too often', FAILED, { error: 'max_output_tokens' }, 'truncated'],
    ['401', { ...FAILED, api_error_status: 401 }, {}, 'auth'],
    ['403', { ...FAILED, api_error_status: 403 }, {}, 'auth'],
    ['a typed error before the status', { ...FAILED, api_error_status: 400 }, { error: 'billing_error' }, 'auth'],
    ['429', { ...FAILED, api_error_status: 429 }, {}, 'rate-limited'],
    ['a limit during the round', FAILED, { limit: { resetAt: null } }, 'rate-limited'],
    ['529', { ...FAILED, api_error_status: 529 }, {}, 'overloaded'],
    ['500', { ...FAILED, api_error_status: 500 }, {}, 'overloaded'],
    ['no answer', FAILED, { error: 'unknown' }, 'overloaded'],
    ['no such model', { ...FAILED, api_error_status: 404 }, { error: 'model_not_found' }, 'config'],
    ['a bad request', { ...FAILED, api_error_status: 400 }, { error: 'invalid_request' }, 'unknown'],
    ['an error with success', { ...DONE, is_error: true }, {}, 'unknown'],
    ['an unknown reason', { ...DONE, terminal_reason: 'moonrise' }, {}, 'unknown'],
    ['a broken image', { ...FAILED, terminal_reason: 'image_error' }, {}, 'unknown'],
    [
      'interrupted by the user',
      { ...FAILED, subtype: 'error_during_execution', terminal_reason: 'aborted_tools' },
      {},
      'unknown',
    ],
    ["stopped by the user's hook", { ...DONE, terminal_reason: 'hook_stopped' }, {}, 'unknown'],
    ['success without a reason', { subtype: 'success', is_error: false }, {}, 'unknown'],
    ['an error without a reason', { subtype: 'error_during_execution', is_error: true }, {}, 'unknown'],
    ['nothing was allowed', DONE, { denied: ['Bash'], toolsDone: 0 }, 'config'],
    ['some of it was allowed', DONE, { denied: ['Bash'], toolsDone: 1 }, 'ok'],
    [
      'nothing was allowed, and the agent says so',
      DONE,
      { denied: ['Bash'], toolsDone: 0, claim: { kind: 'blocked', reason: 'x' } },
      'ok',
    ],
    [
      'too old to start',
      { subtype: 'error_during_execution', is_error: true, startup_failure_reason: 'cli_version_too_old' },
      {},
      'config',
    ],
    [
      'not signed in at the gateway',
      { subtype: 'error_during_execution', is_error: true, startup_failure_reason: 'gateway_signin_required' },
      {},
      'auth',
    ],
  ])('%s', (_what, result, signals, kind) => {
    expect(endOf(result, { ...QUIET, ...signals }, TIME).kind).toBe(kind)
  })
})

describe('the end of a limit', () => {
  const LIMITED = { ...FAILED, api_error_status: 429 }

  test('is the one that the API named', () => {
    const result = { ...LIMITED, result: 'resets 3pm (UTC)' }
    expect(endOf(result, { ...QUIET, limit: { resetAt: 1_800_000_000_000 } }, TIME).resetAt).toBe(1_800_000_000_000)
  })

  test('or the one in the message', () => {
    const result = { ...LIMITED, result: 'You have hit your limit · resets 8pm (UTC)' }
    expect(endOf(result, QUIET, TIME).resetAt).toBe(Date.parse('2026-11-15T20:00:00Z'))
  })

  test('or unknown, and other ends have none', () => {
    expect(endOf({ ...LIMITED, result: 'API Error: Request rejected (429)' }, QUIET, TIME).resetAt).toBeNull()
    expect(endOf({ ...DONE, result: 'resets 8pm (UTC)' }, QUIET, TIME).resetAt).toBeNull()
  })
})

test('the detail is one line, and not long', () => {
  const result = { ...DONE, result: `\n${'x'.repeat(1000)}\nmore` }
  expect(endOf(result, QUIET, TIME).detail).toBe(`${'x'.repeat(300)}…`)
  expect(
    endOf({ ...FAILED, subtype: 'error_max_turns', errors: ['Reached maximum number of turns (1)'] }, QUIET, TIME),
  ).toEqual({
    kind: 'max-turns',
    detail: 'Reached maximum number of turns (1)',
    claim: null,
    resetAt: null,
    note: null,
  })
})

test.each([
  ['authentication_failed', null, 'auth'],
  ['unknown', 401, 'auth'],
  ['rate_limit', 429, 'rate-limited'],
  ['overloaded', 529, 'overloaded'],
  ['unknown', null, null],
  ['invalid_request', 400, null],
] as const)('the error %s with status %s comes to %s', (error, status, kind) => {
  expect(kindOfError(error, status)).toBe(kind)
})

import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import type { SessionId } from '../../../core/model/ids.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { RoundConversation } from './round-conversation.ts'

const NOW = 1_000_000

/** Hears messages of which only the fields that count are given. */
function hear(...messages: object[]) {
  const conversation = new RoundConversation({
    session: 's' as SessionId,
    mask: (text) => text.replaceAll('secret', '[masked]'),
    now: () => NOW,
    windowOf: () => 200_000,
  })
  const events = messages.flatMap((message) => [...conversation.hear(message as SDKMessage)])
  return { conversation, events: events.filter(({ kind }) => kind !== 'raw'), raw: events.flatMap(lineOf) }
}

function lineOf(event: AgentEvent): readonly string[] {
  return event.kind === 'raw' ? [event.line] : []
}

const retry = (error: string, status: number | null, attempt: number, delayMs = 500) => ({
  type: 'system',
  subtype: 'api_retry',
  error,
  error_status: status,
  attempt,
  retry_delay_ms: delayMs,
})

test('a try again is told with its time', () => {
  expect(hear(retry('overloaded', 529, 2, 1500)).events).toEqual([
    { kind: 'activity', activity: { kind: 'retrying', attempt: 2, until: NOW + 1500 } },
  ])
})

test.each([
  ['the first refused sign-in', retry('authentication_failed', 401, 1), { kind: 'auth', resetAt: null }],
  ['a limit after five tries', retry('rate_limit', 429, 6), { kind: 'rate-limited', resetAt: NOW + 500 }],
  ['a limit that takes long', retry('rate_limit', 429, 1, 61_000), { kind: 'rate-limited', resetAt: NOW + 61_000 }],
  ['overload after five tries', retry('overloaded', 529, 6), { kind: 'overloaded', resetAt: null }],
  ['no answer after five tries', retry('unknown', null, 6), { kind: 'overloaded', resetAt: null }],
  ['an odd answer after five tries', retry('unknown', 409, 6), { kind: 'unknown', resetAt: null }],
  [
    'a limit that the service names',
    { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_900_000_000 } },
    { kind: 'rate-limited', resetAt: 1_900_000_000_000 },
  ],
])('%s ends the round at once', (_what, message, end) => {
  expect(hear(message).conversation.earlyEnd).toMatchObject(end)
})

test.each([
  ['an overload', retry('overloaded', 529, 5)],
  ['a limit', retry('rate_limit', 429, 1, 60_000)],
  ['no answer at all', retry('unknown', null, 5)],
  ['a warning', { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 1 } }],
  ['overage', { type: 'rate_limit_event', rate_limit_info: { status: 'allowed', overageStatus: 'rejected' } }],
])('%s is waited for', (_what, message) => {
  expect(hear(message).conversation.earlyEnd).toBeNull()
})

const said = (text: string, parent: string | null = null) => ({
  type: 'assistant',
  parent_tool_use_id: parent,
  message: { id: text, model: 'm', content: [{ type: 'text', text }], usage: {} },
})

test("the last claim of the agent itself counts, a subagent's does not", () => {
  const { conversation } = hear(
    said('<phase_continue>'),
    said('<phase_complete>'),
    said('Bye.'),
    said('<phase_blocked>x', 'a'),
  )
  expect(conversation.heard.claim).toEqual({ kind: 'done' })
})

test('what is told is masked; pieces and signs of life are not told', () => {
  const { raw } = hear(said('my secret'), { type: 'tool_progress' }, { type: 'stream_event', event: { type: 'ping' } })
  expect(raw).toHaveLength(1)
  expect(raw[0]).toContain('my [masked]')
})

test('a refusal is told once, whoever tells it', () => {
  const { conversation } = hear()
  const first = [...conversation.denied('use-1', 'Write', 'outside')]
  const message = {
    type: 'system',
    subtype: 'permission_denied',
    tool_use_id: 'use-1',
    tool_name: 'Write',
    message: 'no',
  }
  const second = [...conversation.hear(message as SDKMessage)].filter(({ kind }) => kind === 'denied')
  expect([first, second]).toEqual([[{ kind: 'denied', tool: 'Write', reason: 'outside' }], []])
})

const started = (id: string) => ({
  type: 'stream_event',
  parent_tool_use_id: null,
  event: { type: 'message_start', message: { id, model: 'm', usage: { input_tokens: 5, output_tokens: 1 } } },
})
const ended = {
  type: 'stream_event',
  parent_tool_use_id: null,
  event: { type: 'message_delta', usage: { output_tokens: 9 } },
}

test('a call is counted once, with the tokens of its whole answer; one that was cut off with what was sent', () => {
  const { conversation, events } = hear(started('a'), said('a'), ended, ended, started('b'))
  const tokens = { input: 5, cacheRead: 0, cacheWrite: 0, output: 9 }
  const call = { session: 's', message: 'a', model: 'm', scope: 'main', tokens, hourCacheWrite: 0, window: 200_000 }
  expect(events.filter(({ kind }) => kind === 'usage')).toEqual([{ kind: 'usage', usage: call }])
  expect([...conversation.rest()]).toMatchObject([{ usage: { message: 'b', tokens: { input: 5, output: 1 } } }])
})

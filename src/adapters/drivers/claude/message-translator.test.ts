import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import type { SessionId } from '../../../core/model/ids.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { MessageTranslator } from './message-translator.ts'

const NOW = 1_000_000

/** Translates messages that have only the relevant fields. */
function translate(...messages: object[]) {
  const translator = new MessageTranslator({
    session: 's' as SessionId,
    mask: (text) => text.replaceAll('secret', '[masked]'),
    now: () => NOW,
    windowOf: () => 200_000,
  })
  const events = messages.flatMap((message) => [...translator.translate(message as SDKMessage)])
  return { translator, events: events.filter(({ kind }) => kind !== 'raw'), raw: events.flatMap(lineOf) }
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

test('a retry is reported with its time', () => {
  expect(translate(retry('overloaded', 529, 2, 1500)).events).toEqual([
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
    'a limit that the API names',
    { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_900_000_000 } },
    { kind: 'rate-limited', resetAt: 1_900_000_000_000 },
  ],
])('%s ends the round immediately', (_what, message, end) => {
  expect(translate(message).translator.earlyEnd).toMatchObject(end)
})

test.each([
  ['an overload', retry('overloaded', 529, 5)],
  ['a limit', retry('rate_limit', 429, 1, 60_000)],
  ['no answer at all', retry('unknown', null, 5)],
  ['a warning', { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 1 } }],
  ['overage', { type: 'rate_limit_event', rate_limit_info: { status: 'allowed', overageStatus: 'rejected' } }],
])('%s is waited for', (_what, message) => {
  expect(translate(message).translator.earlyEnd).toBeNull()
})

const spoken = (text: string, parent: string | null = null) => ({
  type: 'assistant',
  parent_tool_use_id: parent,
  message: { id: text, model: 'm', content: [{ type: 'text', text }], usage: {} },
})

test("the last claim of the agent itself counts, a subagent's does not", () => {
  const { translator } = translate(
    spoken('<phase_continue>'),
    spoken('<phase_complete>'),
    spoken('Bye.'),
    spoken('<phase_blocked>x', 'a'),
  )
  expect(translator.signals.claim).toEqual({ kind: 'done' })
})

test('the transcript is masked, without partial messages and progress', () => {
  const { raw } = translate(
    spoken('my secret'),
    { type: 'tool_progress' },
    { type: 'stream_event', event: { type: 'ping' } },
  )
  expect(raw).toHaveLength(1)
  expect(raw[0]).toContain('my [masked]')
})

test('a refusal is reported once, by whichever source', () => {
  const { translator } = translate()
  const first = [...translator.recordDenial('use-1', 'Write', 'outside')]
  const message = {
    type: 'system',
    subtype: 'permission_denied',
    tool_use_id: 'use-1',
    tool_name: 'Write',
    message: 'no',
  }
  const second = [...translator.translate(message as SDKMessage)].filter(({ kind }) => kind === 'denied')
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

test('a call is counted once, with the tokens of its whole answer, or of its input when it was cut off', () => {
  const { translator, events } = translate(started('a'), spoken('a'), ended, ended, started('b'))
  const tokens = { input: 5, cacheRead: 0, cacheWrite: 0, output: 9 }
  const call = { session: 's', message: 'a', model: 'm', scope: 'main', tokens, hourCacheWrite: 0, window: 200_000 }
  expect(events.filter(({ kind }) => kind === 'usage')).toEqual([{ kind: 'usage', usage: call }])
  expect([...translator.unfinishedCalls()]).toMatchObject([
    { usage: { message: 'b', tokens: { input: 5, output: 1 } } },
  ])
})

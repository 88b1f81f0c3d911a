import { z } from 'zod'
import { JUDGE_HEADING } from '../core/phases/judge-agent.ts'
import {
  type Dialect,
  estimateTokens,
  type HistoryEntry,
  type ModelFailure,
  type ModelMessage,
  type ModelRequest,
  type ModelUsage,
  type RequestOrigin,
  type WireAnswer,
  type WireRequest,
} from './dialect.ts'

/** Anthropic Messages API. */
export const anthropic: Dialect = { name: 'anthropic', read, answer, count, failure }

const block = z.looseObject({ type: z.string() })
const content = z.union([z.string().transform((text) => [{ type: 'text', text }]), z.array(block)])
const message = z.object({ role: z.string(), content })
const requestSchema = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(message),
  system: content.default([]),
  tools: z.array(z.looseObject({ name: z.string(), defer_loading: z.boolean().default(false) })).default([]),
})
type Block = z.infer<typeof block>

function read({ path, headers, body }: WireRequest): ModelRequest | null {
  if (path !== '/v1/messages' && path !== '/v1/messages/count_tokens') return null
  const parsed = requestSchema.safeParse(body).data
  if (parsed === undefined) return null
  const systemTexts = [
    parsed.system,
    ...parsed.messages.filter(({ role }) => role === 'system').map((it) => it.content),
  ]
  const subagent = textHeader(headers, 'x-claude-code-agent-id')
  const history = parsed.messages.flatMap(entriesOf)
  const last = estimateTokens(JSON.stringify(parsed.messages.at(-1) ?? ''))
  return {
    kind: path === '/v1/messages' ? 'turn' : 'count',
    model: parsed.model,
    isStream: parsed.stream,
    session: textHeader(headers, 'x-claude-code-session-id'),
    subagent,
    folder: folderIn(systemTexts.flatMap((blocks) => blocks.map(textOf)).join('\n')),
    from: originOf(isWork(parsed.tools.length, history), subagent),
    tools: parsed.tools.map(({ name, defer_loading }) => ({ name, isDeferred: defer_loading })),
    history,
    tokens: { last, before: estimateTokens(JSON.stringify(body)) - last },
  }
}

function originOf(isWork: boolean, subagent: string | null): RequestOrigin {
  if (!isWork) return 'side'
  return subagent === null ? 'agent' : 'subagent'
}

function textHeader(headers: WireRequest['headers'], name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

function folderIn(text: string): string | null {
  return /working directory: (\S.*)$/im.exec(text)?.[1]?.trim() ?? null
}

// Only the agent as judge works without tools.
function isWork(tools: number, history: readonly HistoryEntry[]): boolean {
  if (tools > 0) return !isCompaction(history.at(-1))
  return history.some((entry) => entry.kind === 'prompt' && entry.text.startsWith(JUDGE_HEADING))
}

// A compaction has tools, like a prompt of the work.
function isCompaction(entry: HistoryEntry | undefined): boolean {
  return (
    entry?.kind === 'prompt' &&
    /^(CRITICAL: Respond with TEXT ONLY|Your task is to create a detailed summary)/.test(entry.text)
  )
}

function entriesOf({ role, content: blocks }: z.infer<typeof message>): readonly HistoryEntry[] {
  if (role === 'assistant') return blocks.flatMap(answerEntries)
  if (role !== 'user') return remarksIn(blocks)
  const results = blocks.filter(({ type }) => type === 'tool_result').map(resultEntry)
  const text = promptIn(blocks)
  if (text === '') return results
  return [...results, CONTINUED.test(text) ? { kind: 'compacted', summary: text } : { kind: 'prompt', text }]
}

// Messages with the role "system" appear between the others: they describe the machine, or contain what a person said
// during a round.
function remarksIn(blocks: readonly Block[]): readonly HistoryEntry[] {
  const text = REMARK.exec(blocks.map(textOf).join('\n'))?.[1]?.trim()
  return text === undefined ? [] : [{ kind: 'remark', text }]
}

const REMARK = /The user sent a new message while you were working:\n([\s\S]*?)(?:\n\nThis is how Claude Code|$)/
const CONTINUED = /^This session is being continued from a previous conversation/

function answerEntries(it: Block): readonly HistoryEntry[] {
  if (it.type === 'text') return [{ kind: 'text', text: textOf(it) }]
  if (it.type !== 'tool_use') return []
  return [{ kind: 'tool-call', id: String(it.id), tool: String(it.name), input: it.input }]
}

function resultEntry(it: Block): HistoryEntry {
  const blocks = content.safeParse(it.content).data ?? []
  return {
    kind: 'tool-result',
    id: String(it.tool_use_id),
    text: blocks.map(textOf).join('\n'),
    isError: it.is_error === true,
  }
}

// Text that Claude Code adds by itself.
const ADDED =
  /<(system-reminder|local-command-[a-z]+|command-[a-z]+)>[\s\S]*?<\/\1>|\[Request interrupted by user[^\]]*\]|^\[structured-output-enforce\][\s\S]*|^Tool loaded\.$|^(?:Your response above was stopped by a safety classifier|Output token limit hit)[\s\S]*/g

function promptIn(blocks: readonly Block[]): string {
  return blocks
    .map((it) => textOf(it).replaceAll(ADDED, '').trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

function textOf(it: Block): string {
  return it.type === 'text' && typeof it.text === 'string' ? it.text : ''
}

function answer(request: ModelRequest, it: ModelMessage): WireAnswer {
  if (request.isStream) return stream(eventsOf(request, it))
  const blocks = [...textBlocks(it), ...toolBlocks(it)]
  return json(200, { ...head(request, it), content: blocks, ...stopOf(it), ...usageOf(it) })
}

function eventsOf(request: ModelRequest, it: ModelMessage): readonly object[] {
  const started = { ...head(request, it), content: [], stop_reason: null, stop_sequence: null, ...usageOf(it, 1) }
  const textEvents = textBlocks(it).flatMap(({ text }, index) =>
    blockEvents(
      index,
      { type: 'text', text: '' },
      chunksOf(text).map((part) => ({ type: 'text_delta', text: part })),
    ),
  )
  const toolEvents = toolBlocks(it).flatMap((tool) =>
    blockEvents(
      textBlocks(it).length,
      { ...tool, input: {} },
      chunksOf(JSON.stringify(tool.input)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    ),
  )
  return [
    { type: 'message_start', message: started },
    ...textEvents,
    ...toolEvents,
    { type: 'message_delta', delta: stopOf(it), ...(it.usage && { usage: { output_tokens: it.usage.output } }) },
    { type: 'message_stop' },
  ]
}

function blockEvents(index: number, start: object, deltas: readonly object[]): readonly object[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function head(request: ModelRequest, it: ModelMessage): object {
  return { id: it.id, type: 'message', role: 'assistant', model: request.model }
}

function textBlocks({ text }: ModelMessage): readonly { readonly type: 'text'; readonly text: string }[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function toolBlocks({ call }: ModelMessage) {
  return call === null ? [] : [{ type: 'tool_use' as const, id: call.id, name: call.tool, input: call.input }]
}

const STOP_REASONS = { end: 'end_turn', tool: 'tool_use', refusal: 'refusal', length: 'max_tokens' } as const

function stopOf({ stop }: ModelMessage): object {
  return { stop_reason: STOP_REASONS[stop], stop_sequence: null }
}

function usageOf({ usage }: ModelMessage, output = usage?.output): object {
  if (usage === null) return {}
  return {
    usage: {
      input_tokens: usage.input,
      cache_creation_input_tokens: usage.cacheWrite,
      cache_read_input_tokens: usage.cacheRead,
      ...cacheLifetimes(usage),
      output_tokens: output,
    },
  }
}

/** Splits cache writes by lifetime; without this, all of them last five minutes. */
function cacheLifetimes({ cacheWrite, hourCacheWrite = 0 }: ModelUsage): object {
  if (hourCacheWrite === 0) return {}
  return {
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWrite - hourCacheWrite,
      ephemeral_1h_input_tokens: hourCacheWrite,
    },
  }
}

function count({ tokens }: ModelRequest): WireAnswer {
  return json(200, { input_tokens: tokens.before + tokens.last })
}

const ERRORS: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'Invalid request.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'The requested resource could not be found.'],
  413: ['request_too_large', 'Request exceeds the maximum size.'],
  429: ['rate_limit_error', 'This request would exceed your rate limit.'],
  500: ['api_error', 'Internal server error'],
  529: ['overloaded_error', 'Overloaded'],
}

function failure(cause: ModelFailure): WireAnswer {
  switch (cause.kind) {
    case 'status':
      return failed(cause.status, cause.message, retryAfter(cause.retryAfterS))
    case 'limit':
      return failed(429, null, limitHeaders(cause))
    case 'too-long':
      return failed(400, `prompt is too long: ${cause.tokens} tokens > ${WINDOW} maximum`, {})
  }
}

const WINDOW = 200_000

function failed(status: number, message: string | null, headers: Readonly<Record<string, string>>): WireAnswer {
  const [type, defaultMessage] = ERRORS[status] ?? ['api_error', `Status ${status}`]
  return json(status, { type: 'error', error: { type, message: message ?? defaultMessage } }, headers)
}

function retryAfter(seconds: number | null): Readonly<Record<string, string>> {
  return seconds === null ? {} : { 'retry-after': String(seconds) }
}

function limitHeaders({ resetAt, now }: Extract<ModelFailure, { kind: 'limit' }>): Readonly<Record<string, string>> {
  const reset = String(Math.ceil(resetAt / 1000))
  return {
    'retry-after': String(Math.max(0, Math.ceil((resetAt - now) / 1000))),
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': reset,
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': reset,
    'anthropic-ratelimit-unified-5h-utilization': '1',
  }
}

function stream(events: readonly object[]): WireAnswer {
  const chunks = events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, chunks }
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): WireAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, chunks: [JSON.stringify(body)] }
}

const CHUNK_LENGTH = 200

/** Splits a text into the chunks that are streamed. */
function chunksOf(text: string): readonly string[] {
  const count = Math.ceil(text.length / CHUNK_LENGTH)
  return Array.from({ length: count }, (_, index) => text.slice(index * CHUNK_LENGTH, (index + 1) * CHUNK_LENGTH))
}

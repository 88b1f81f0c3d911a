import { z } from 'zod'
import { JUDGE_HEADING } from '../core/phases/judge-agent.ts'
import type {
  Ask,
  Asker,
  Dialect,
  Entry,
  Failure,
  ModelMessage,
  ModelUsage,
  WireAnswer,
  WireRequest,
} from './dialect.ts'
import { estimateTokens, pieces } from './sizes.ts'

/** The Anthropic Messages API. */
export const anthropic: Dialect = { name: 'anthropic', read, answer, count, failure }

const block = z.looseObject({ type: z.string() })
const content = z.union([z.string().transform((text) => [{ type: 'text', text }]), z.array(block)])
const message = z.object({ role: z.string(), content })
const request = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(message),
  system: content.default([]),
  tools: z.array(z.looseObject({ name: z.string(), defer_loading: z.boolean().default(false) })).default([]),
})
type Block = z.infer<typeof block>

function read({ path, headers, body }: WireRequest): Ask | null {
  if (path !== '/v1/messages' && path !== '/v1/messages/count_tokens') return null
  const asked = request.safeParse(body).data
  if (asked === undefined) return null
  const told = [asked.system, ...asked.messages.filter(({ role }) => role === 'system').map((it) => it.content)]
  const subagent = textHeader(headers, 'x-claude-code-agent-id')
  const history = asked.messages.flatMap(entriesOf)
  const last = estimateTokens(JSON.stringify(asked.messages.at(-1) ?? ''))
  return {
    kind: path === '/v1/messages' ? 'turn' : 'count',
    model: asked.model,
    isStream: asked.stream,
    session: textHeader(headers, 'x-claude-code-session-id'),
    subagent,
    folder: folderIn(told.flatMap((blocks) => blocks.map(textOf)).join('\n')),
    from: askerOf(isWork(asked.tools.length, history), subagent),
    tools: asked.tools.map(({ name, defer_loading }) => ({ name, isDeferred: defer_loading })),
    history,
    tokens: { last, before: estimateTokens(JSON.stringify(body)) - last },
  }
}

function askerOf(isWork: boolean, subagent: string | null): Asker {
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

// Whoever judges has no tools; nobody else works without any.
function isWork(tools: number, history: readonly Entry[]): boolean {
  if (tools > 0) return !isCompaction(history.at(-1))
  return history.some((entry) => entry.kind === 'prompt' && entry.text.startsWith(JUDGE_HEADING))
}

// It comes with tools, like a prompt of the work.
function isCompaction(entry: Entry | undefined): boolean {
  return (
    entry?.kind === 'prompt' &&
    /^(CRITICAL: Respond with TEXT ONLY|Your task is to create a detailed summary)/.test(entry.text)
  )
}

function entriesOf({ role, content: blocks }: z.infer<typeof message>): readonly Entry[] {
  if (role === 'assistant') return blocks.flatMap(answerEntries)
  if (role !== 'user') return remarksIn(blocks)
  const results = blocks.filter(({ type }) => type === 'tool_result').map(resultEntry)
  const text = promptIn(blocks)
  if (text === '') return results
  return [...results, CONTINUED.test(text) ? { kind: 'compacted', summary: text } : { kind: 'prompt', text }]
}

// Claude Code tells of the machine in messages of the role "system", anywhere between the others, and of what a person
// said in the middle of a round.
function remarksIn(blocks: readonly Block[]): readonly Entry[] {
  const text = REMARK.exec(blocks.map(textOf).join('\n'))?.[1]?.trim()
  return text === undefined ? [] : [{ kind: 'remark', text }]
}

const REMARK = /The user sent a new message while you were working:\n([\s\S]*?)(?:\n\nThis is how Claude Code|$)/
const CONTINUED = /^This session is being continued from a previous conversation/

function answerEntries(it: Block): readonly Entry[] {
  if (it.type === 'text') return [{ kind: 'said', text: textOf(it) }]
  if (it.type !== 'tool_use') return []
  return [{ kind: 'called', id: String(it.id), tool: String(it.name), input: it.input }]
}

function resultEntry(it: Block): Entry {
  const blocks = content.safeParse(it.content).data ?? []
  return {
    kind: 'returned',
    id: String(it.tool_use_id),
    text: blocks.map(textOf).join('\n'),
    isError: it.is_error === true,
  }
}

// What Claude Code adds by itself is in tags, or one of these texts.
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

function answer(ask: Ask, it: ModelMessage): WireAnswer {
  if (ask.isStream) return stream(eventsOf(ask, it))
  const blocks = [...textBlocks(it), ...toolBlocks(it)]
  return json(200, { ...head(ask, it), content: blocks, ...stopOf(it), ...usageOf(it) })
}

function eventsOf(ask: Ask, it: ModelMessage): readonly object[] {
  const started = { ...head(ask, it), content: [], stop_reason: null, stop_sequence: null, ...usageOf(it, 1) }
  const textEvents = textBlocks(it).flatMap(({ text }, index) =>
    blockEvents(
      index,
      { type: 'text', text: '' },
      pieces(text).map((part) => ({ type: 'text_delta', text: part })),
    ),
  )
  const toolEvents = toolBlocks(it).flatMap((tool) =>
    blockEvents(
      textBlocks(it).length,
      { ...tool, input: {} },
      pieces(JSON.stringify(tool.input)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
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

function head(ask: Ask, it: ModelMessage): object {
  return { id: it.id, type: 'message', role: 'assistant', model: ask.model }
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
      ...keptFor(usage),
      output_tokens: output,
    },
  }
}

/** How long what was written to the cache stays there; left out, it is five minutes. */
function keptFor({ cacheWrite, hourCacheWrite = 0 }: ModelUsage): object {
  if (hourCacheWrite === 0) return {}
  return {
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWrite - hourCacheWrite,
      ephemeral_1h_input_tokens: hourCacheWrite,
    },
  }
}

function count({ tokens }: Ask): WireAnswer {
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

function failure(given: Failure): WireAnswer {
  switch (given.kind) {
    case 'status':
      return failed(given.status, given.message, retryAfter(given.retryAfterS))
    case 'limit':
      return failed(429, null, limitHeaders(given))
    case 'too-long':
      return failed(400, `prompt is too long: ${given.tokens} tokens > ${WINDOW} maximum`, {})
  }
}

const WINDOW = 200_000

function failed(status: number, said: string | null, headers: Readonly<Record<string, string>>): WireAnswer {
  const [type, usual] = ERRORS[status] ?? ['api_error', `Status ${status}`]
  return json(status, { type: 'error', error: { type, message: said ?? usual } }, headers)
}

function retryAfter(seconds: number | null): Readonly<Record<string, string>> {
  return seconds === null ? {} : { 'retry-after': String(seconds) }
}

function limitHeaders({ resetAt, now }: Extract<Failure, { kind: 'limit' }>): Readonly<Record<string, string>> {
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

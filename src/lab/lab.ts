import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Problem, problem } from '../core/model/problem.ts'
import type { Tokens } from '../core/model/usage.ts'
import { type Answer, answerTo } from './answer.ts'
import { anthropic } from './anthropic.ts'
import type { Ask, Dialect, WireAnswer } from './dialect.ts'
import { Memory } from './memory.ts'
import type { Scenario } from './scenario.ts'
import { send } from './send.ts'

/** A model server on this machine that plays a scenario. */
export interface Lab {
  /** The base URL for an agent; a path that is put behind it names a run, with a count and faults of its own. */
  readonly url: string
  /** The latest requests, oldest first. */
  readonly requests: readonly LabRequest[]
  close(): Promise<void>
}

export interface LabOptions {
  readonly scenario: Scenario
  now(): number
  /** By default any that is free. */
  readonly port?: number
  /** Requests that a run may make; an agent that loops is told to stop. */
  readonly requestsMax?: number
  /** A file to which each request is appended as a line of JSON. */
  readonly record?: string
  /** Told of each request. */
  heard?(request: LabRequest): void
}

/** One request and what was answered. */
export interface LabRequest {
  readonly at: number
  readonly run: string
  readonly dialect: string
  readonly kind: Ask['kind']
  readonly model: string
  readonly session: string | null
  readonly task: string | null
  readonly attempt: number | null
  /** The session's number within its task and attempt, and the prompt's within its session. */
  readonly sessionNumber: number | null
  readonly round: number | null
  readonly prompt: string
  /** Tools that the agent offered; 0: a side call. */
  readonly tools: number
  readonly rule: number | null
  readonly step: number | null
  readonly answer: string
  /** Estimated from the request's size. */
  readonly tokensSent: number
  readonly usage: Tokens | null
}

const DIALECTS: readonly Dialect[] = [anthropic]
const REQUESTS_MAX = 500
const KEPT_MAX = 2_000
const PROMPT_KEPT_LENGTH = 100_000
const BODY_BYTES_MAX = 64 * 1024 * 1024

/** Opens a lab on the loopback address. */
export async function openLab(options: LabOptions): Promise<Lab | Problem> {
  const memory = new Memory()
  const requests: LabRequest[] = []
  const file = options.record === undefined ? null : createWriteStream(options.record, { flags: 'a' })
  const keep = (request: LabRequest): void => {
    requests.push(request)
    if (requests.length > KEPT_MAX) requests.shift()
    file?.write(`${JSON.stringify(request)}\n`)
    options.heard?.(request)
  }
  const server = createServer((request, response) => {
    void respond(request, response, options, memory, keep).catch(() => response.destroy())
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  try {
    await Promise.all([once(server, 'listening'), file === null ? null : once(file, 'open')])
  } catch (cause) {
    server.close()
    return notOpened(cause)
  }
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
    await endOf(file)
  }
  return { url: `http://127.0.0.1:${port}`, requests, close }
}

async function endOf(file: WriteStream | null): Promise<void> {
  if (file === null) return
  file.end()
  await once(file, 'close')
}

function notOpened(cause: unknown): Problem {
  return problem({
    code: 'lab-not-opened',
    message: `The lab cannot be opened: ${String(cause)}`,
    hint: 'Choose another port, or another file to record to.',
    retry: 'person',
    cause,
  })
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { scenario, now, requestsMax = REQUESTS_MAX }: LabOptions,
  memory: Memory,
  keep: (request: LabRequest) => void,
): Promise<void> {
  const { run, path } = splitPath(request.url ?? '/')
  const body = await bodyOf(request)
  const found = DIALECTS.flatMap((dialect) => {
    const ask = dialect.read({ path, headers: request.headers, body })
    return ask === null ? [] : [{ dialect, ask }]
  })[0]
  if (found === undefined) return send(response, NOT_FOUND, { kind: 'whole' })
  const { dialect, ask } = found
  if (memory.count(run) > requestsMax) return send(response, dialect.failure(tooMany(requestsMax)), { kind: 'whole' })
  if (ask.kind === 'count') {
    keep(recorded(now(), run, dialect, ask, null))
    return send(response, dialect.count(ask), { kind: 'whole' })
  }
  const answer = answerTo(ask, scenario, run, memory, now())
  keep(recorded(now(), run, dialect, ask, answer))
  const { reply } = answer
  // A silent model keeps the connection until the agent, or the lab, gives it up.
  if (reply.kind === 'silence') return
  if (reply.kind === 'failure') return send(response, dialect.failure(reply.failure), { kind: 'whole' })
  return send(response, dialect.answer(ask, reply.message), reply.delivery)
}

const NOT_FOUND: WireAnswer = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  chunks: [
    JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'The lab has no such place.' } }),
  ],
}

function tooMany(requestsMax: number) {
  const message = `The lab takes ${requestsMax} requests per run, and this run has made more: is the agent looping?`
  return { kind: 'status', status: 400, retryAfterS: null, message } as const
}

/** The run's name is what comes before the API's own path. */
function splitPath(url: string): { readonly run: string; readonly path: string } {
  const [whole = '/'] = url.split('?', 1)
  const start = Math.max(0, whole.indexOf('/v1'))
  return { run: whole.slice(0, start).replaceAll(/^\/+|\/+$/g, ''), path: whole.slice(start) }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > BODY_BYTES_MAX) return null
    chunks.push(chunk as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null // no body, or none that is JSON: no dialect knows it
  }
}

function recorded(at: number, run: string, dialect: Dialect, ask: Ask, answer: Answer | null): LabRequest {
  const { task = null, attempt = null, round = null, prompt = '' } = answer?.conversation ?? {}
  const { name } = dialect
  const { kind, model, session, tokens } = ask
  return {
    ...{ at, run, dialect: name, kind, model, session, task, attempt },
    ...{ sessionNumber: answer?.session ?? null, round, prompt: prompt.slice(0, PROMPT_KEPT_LENGTH) },
    tools: ask.tools.length,
    rule: answer?.rule ?? null,
    step: answer?.step ?? null,
    answer: answer?.told ?? 'a count of tokens',
    tokensSent: tokens.before + tokens.last,
    usage: answer?.reply.kind === 'message' ? answer.reply.message.usage : null,
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { answerTo, type Delivery } from './answer.ts'
import { anthropic } from './anthropic.ts'
import type { Dialect, ModelFailure, ModelRequest, WireAnswer } from './dialect.ts'
import type { LabMemory } from './lab-memory.ts'
import { type LabRequest, labRequest } from './lab-request.ts'
import type { Scenario } from './scenario.ts'

/** State and callbacks of a lab. */
export interface LabContext {
  readonly scenario: Scenario
  readonly memory: LabMemory
  readonly requestsMax: number
  now(): number
  onRequest(request: LabRequest): void
}

const DIALECTS: readonly Dialect[] = [anthropic]
const BODY_BYTES_MAX = 64 * 1024 * 1024

/** Reads a request, answers it and records it. */
export async function respond(request: IncomingMessage, response: ServerResponse, context: LabContext): Promise<void> {
  const { run, path } = splitPath(request.url ?? '/')
  const body = await bodyOf(request)
  const match = DIALECTS.flatMap((dialect) => {
    const modelRequest = dialect.read({ path, headers: request.headers, body })
    return modelRequest === null ? [] : [{ dialect, modelRequest }]
  })[0]
  if (match === undefined) return send(response, NOT_FOUND, { kind: 'whole' })
  const { dialect, modelRequest } = match
  const isTooMany = context.memory.countRequest(run) > context.requestsMax
  if (isTooMany) return send(response, dialect.failure(tooMany(context.requestsMax)), { kind: 'whole' })
  if (modelRequest.kind === 'turn') return respondToTurn(response, run, dialect, modelRequest, context)
  context.onRequest(labRequest(context.now(), run, dialect.name, modelRequest, null))
  return send(response, dialect.count(modelRequest), { kind: 'whole' })
}

async function respondToTurn(
  response: ServerResponse,
  run: string,
  dialect: Dialect,
  modelRequest: ModelRequest,
  { scenario, memory, now, onRequest }: LabContext,
): Promise<void> {
  const at = now()
  const answer = answerTo(modelRequest, scenario, run, memory, at)
  onRequest(labRequest(at, run, dialect.name, modelRequest, answer))
  const { reply } = answer
  switch (reply.kind) {
    case 'silence':
      return // The connection stays open until the agent or the lab closes it.
    case 'failure':
      return send(response, dialect.failure(reply.failure), { kind: 'whole' })
    case 'message':
      return send(response, dialect.answer(modelRequest, reply.message), reply.delivery)
  }
}

/** Sends an answer with the speed and completeness of its delivery; stops when the agent disconnects. */
async function send(response: ServerResponse, wire: WireAnswer, delivery: Delivery): Promise<void> {
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort())
  response.writeHead(wire.status, wire.headers)
  const chunks = delivery.kind === 'cut' ? wire.chunks.slice(0, Math.ceil(wire.chunks.length / 2)) : wire.chunks
  for (const chunk of chunks) {
    if (delivery.kind === 'slow')
      await pause(delivery.chunkMs, undefined, { signal: disconnected.signal }).catch(() => {})
    if (disconnected.signal.aborted) return
    response.write(chunk)
  }
  if (delivery.kind === 'cut') response.write('', () => response.destroy())
  else response.end()
}

const NOT_FOUND: WireAnswer = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  chunks: [
    JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'The lab does not have this path.' } }),
  ],
}

function tooMany(requestsMax: number): ModelFailure {
  const message = `The lab accepts ${requestsMax} requests per run, and this run has made more: is the agent looping?`
  return { kind: 'status', status: 400, retryAfterS: null, message }
}

/** Splits a URL into the run's name and the path of the API. */
function splitPath(url: string): { readonly run: string; readonly path: string } {
  const [whole = '/'] = url.split('?', 1)
  const start = Math.max(0, whole.lastIndexOf('/v1'))
  return { run: whole.slice(0, start).replaceAll(/^\/+|\/+$/g, ''), path: whole.slice(start) }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null // no body, not JSON or too long: no dialect accepts it
  }
}

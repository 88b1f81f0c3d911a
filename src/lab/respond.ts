import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerTo } from './answer.ts'
import { anthropic } from './anthropic.ts'
import type { Ask, Dialect, Failure, WireAnswer } from './dialect.ts'
import { type LabRequest, labRequest } from './lab-request.ts'
import type { LabMemory } from './memory.ts'
import type { Scenario } from './scenario.ts'
import { send } from './send.ts'

/** What answers are made from. */
export interface Playing {
  readonly scenario: Scenario
  readonly memory: LabMemory
  readonly requestsMax: number
  now(): number
  keep(request: LabRequest): void
}

const DIALECTS: readonly Dialect[] = [anthropic]
const BODY_BYTES_MAX = 64 * 1024 * 1024

/** Reads one request, answers it and keeps what it was. */
export async function respond(request: IncomingMessage, response: ServerResponse, playing: Playing): Promise<void> {
  const { run, path } = splitPath(request.url ?? '/')
  const body = await bodyOf(request)
  const found = DIALECTS.flatMap((dialect) => {
    const ask = dialect.read({ path, headers: request.headers, body })
    return ask === null ? [] : [{ dialect, ask }]
  })[0]
  if (found === undefined) return send(response, NOT_FOUND, { kind: 'whole' })
  const { dialect, ask } = found
  const isTooMany = playing.memory.count(run) > playing.requestsMax
  if (isTooMany) return send(response, dialect.failure(tooMany(playing.requestsMax)), { kind: 'whole' })
  if (ask.kind === 'turn') return respondToTurn(response, run, dialect, ask, playing)
  playing.keep(labRequest(playing.now(), run, dialect.name, ask, null))
  return send(response, dialect.count(ask), { kind: 'whole' })
}

async function respondToTurn(
  response: ServerResponse,
  run: string,
  dialect: Dialect,
  ask: Ask,
  { scenario, memory, now, keep }: Playing,
): Promise<void> {
  const at = now()
  const answer = answerTo(ask, scenario, run, memory, at)
  keep(labRequest(at, run, dialect.name, ask, answer))
  const { reply } = answer
  switch (reply.kind) {
    case 'silence':
      return // The connection stays until the agent, or the lab, gives it up.
    case 'failure':
      return send(response, dialect.failure(reply.failure), { kind: 'whole' })
    case 'message':
      return send(response, dialect.answer(ask, reply.message), reply.delivery)
  }
}

const NOT_FOUND: WireAnswer = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  chunks: [
    JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'The lab has no such place.' } }),
  ],
}

function tooMany(requestsMax: number): Failure {
  const message = `The lab takes ${requestsMax} requests per run, and this run has made more: is the agent looping?`
  return { kind: 'status', status: 400, retryAfterS: null, message }
}

/** The run's name is what comes before the API's own path. */
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
    return null // No body, or none that is JSON, or far too long: no dialect knows it.
  }
}

import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, request as sendRequest } from 'node:http'
import type { Socket } from 'node:net'

/** Request of a program with the response that it gets. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Connection and wording of a request that is passed on. */
export interface Onward {
  readonly socket: Socket
  readonly path: string
  readonly headers: OutgoingHttpHeaders
}

/** Passes a request on and its response back, both as they arrive; the end of one side ends the other. */
export function relay(
  { request, response }: Exchange,
  { socket, path, headers }: Onward,
  onFailed: (why: string) => void,
): void {
  let isAnswered = false
  const fail = (why: string) => {
    if (!isAnswered) onFailed(why)
    isAnswered = true
  }
  const { method = 'GET' } = request
  const onward = sendRequest({ createConnection: () => socket, method, path, headers, setHost: false })
  onward.on('error', ({ message }) => fail(message))
  onward.on('close', () => fail('the connection was closed'))
  onward.on('upgrade', (_, upgraded) => upgraded.destroy())
  onward.on('response', (answer) => {
    answer.on('error', () => response.destroy())
    try {
      response.writeHead(answer.statusCode ?? BAD_GATEWAY, headersToPass(answer))
    } catch {
      // Its headers contain characters that must not be passed on.
      fail('its answer is malformed')
      return onward.destroy()
    }
    isAnswered = true
    response.flushHeaders()
    answer.pipe(response)
  })
  response.once('close', () => onward.destroy())
  if (response.destroyed) onward.destroy()
  request.pipe(onward)
}

export const BAD_GATEWAY = 502

/** Returns the headers of a message that are meant for its final receiver. */
function headersToPass({ headersDistinct, headers }: IncomingMessage): Record<string, string | string[]> {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/)
  const isForUs = (name: string) => OF_ONE_CONNECTION.has(name) || named.includes(name)
  const passed = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    isForUs(name) ? [] : [[name, values.length === 1 ? (values[0] ?? '') : values] as const],
  )
  return Object.fromEntries(passed)
}

/** Returns the headers of a request to pass on, with a body framed as it was received. */
export function requestHeadersToPass(request: IncomingMessage): Record<string, string | string[]> {
  const isChunked = request.headers['transfer-encoding'] !== undefined
  return { ...headersToPass(request), connection: 'close', ...(isChunked ? { 'transfer-encoding': 'chunked' } : {}) }
}

const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

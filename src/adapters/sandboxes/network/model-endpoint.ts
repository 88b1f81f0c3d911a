import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SANDBOX_CONNECTIONS_MAX } from '../../../core/limits/limits.ts'
import { proxyFor, type UpstreamProxies } from '../../../core/sandbox/upstream-proxy.ts'
import {
  connectThroughProxy,
  connectToAddress,
  connectToProxy,
  hostOf,
  proxyHeaders,
  type Resolve,
  resolveBySystem,
  secured,
} from './connect.ts'
import { httpOverSockets } from './http-over-sockets.ts'
import { BAD_GATEWAY, relay, requestHeadersToPass } from './relay.ts'
import { type OpenSockets, type SocketServer, untilClosed } from './socket-server.ts'

export interface ModelEndpointOptions {
  /** Base URL of the model's API. */
  readonly target: URL
  /** Headers with the key, which replace what the agent sends. */
  readonly headers: Readonly<Record<string, string>>
  readonly upstream: UpstreamProxies
  /** Looks names up; by default as all programs of this machine do. */
  readonly resolve?: Resolve
}

/** Opens the endpoint that agents in the sandbox call their model at; the key is added here, so that they do not have it. */
export function openModelEndpoint(options: ModelEndpointOptions): SocketServer {
  return httpOverSockets(
    { answer: (request, response, sockets) => passOn(options, request, response, sockets) },
    // A model may think for long, and an agent may work for long between two calls.
    { connectionsMax: SANDBOX_CONNECTIONS_MAX, idleMs: 0, requestsPerConnection: 'many' },
  )
}

const BAD_REQUEST = 400
/** Headers of a request that could carry a key or a session. */
const SIGN_IN_HEADERS = ['authorization', 'cookie', 'x-api-key']

async function passOn(
  options: ModelEndpointOptions,
  request: IncomingMessage,
  response: ServerResponse,
  sockets: OpenSockets,
): Promise<void> {
  const { target } = options
  const fail = (status: number, message: string) => {
    if (response.headersSent || response.destroyed) return response.destroy()
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    const type = status === BAD_REQUEST ? 'invalid_request_error' : 'api_error'
    return response.end(JSON.stringify({ type: 'error', error: { type, message: `longhaul: ${message}` } }))
  }
  const path = pathBelow(target, request.url ?? '')
  if (path === null) return void fail(BAD_REQUEST, 'the path of the request is not below the base URL of the model')
  const failed = (why: string) => fail(BAD_GATEWAY, `the model at ${target.host} could not be reached: ${why}`)
  try {
    const onward = await reachModel(options, untilClosed(response))
    sockets.add(onward.socket)
    const headers = { ...onwardHeaders(options, request), ...onward.headers }
    relay({ request, response }, { socket: onward.socket, path: `${onward.prefix}${path}`, headers }, failed)
  } catch (cause) {
    failed(cause instanceof Error ? cause.message : String(cause))
  }
}

function onwardHeaders({ target, headers }: ModelEndpointOptions, request: IncomingMessage) {
  const passed = Object.entries(requestHeadersToPass(request)).filter(([name]) => !SIGN_IN_HEADERS.includes(name))
  const ours = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return { ...Object.fromEntries(passed), ...Object.fromEntries(ours), host: target.host }
}

/** Connection to the model, and what a request on it starts its path with and has in its headers. */
interface WayToModel {
  readonly socket: Socket
  readonly prefix: string
  readonly headers: Readonly<Record<string, string>>
}

async function reachModel(
  { target, upstream, resolve = resolveBySystem }: ModelEndpointOptions,
  signal: AbortSignal,
): Promise<WayToModel> {
  const scheme = target.protocol === 'http:' ? 'http' : 'https'
  const host = hostOf(target)
  const port = Number(target.port || (scheme === 'http' ? 80 : 443))
  const proxy = proxyFor(upstream, { host, port }, scheme)
  if (proxy !== null && scheme === 'http') {
    const url = new URL(proxy)
    return { socket: await connectToProxy(url, signal), prefix: target.origin, headers: proxyHeaders(url) }
  }
  const socket =
    proxy === null
      ? await connectToAddress(await resolve(host), port, signal)
      : await connectThroughProxy(new URL(proxy), { host: target.hostname, port }, signal)
  return { socket: scheme === 'http' ? socket : await secured(socket, host, signal), prefix: '', headers: {} }
}

/** Appends the path of a request to the base URL; null when the result would leave it. */
function pathBelow(target: URL, path: string): string | null {
  const base = target.pathname.replace(/\/$/, '')
  if (!path.startsWith('/') || !URL.canParse(`${target.origin}${base}${path}`)) return null
  const url = new URL(`${target.origin}${base}${path}`)
  return url.origin === target.origin && url.pathname.startsWith(`${base}/`) ? `${url.pathname}${url.search}` : null
}

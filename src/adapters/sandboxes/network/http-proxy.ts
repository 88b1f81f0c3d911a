import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SANDBOX_CONNECTIONS_MAX, SANDBOX_IDLE_MS_MAX } from '../../../core/limits/limits.ts'
import { readHost } from '../../../core/sandbox/host-name.ts'
import { isHostAllowed } from '../../../core/sandbox/host-rules.ts'
import {
  allowedAddresses,
  type NetworkAccess,
  type NetworkTarget,
  type RefusedHost,
  refusedHostLine,
  refuseTarget,
} from '../../../core/sandbox/network-access.ts'
import { proxyFor, type UpstreamProxies } from '../../../core/sandbox/upstream-proxy.ts'
import {
  connectThroughProxy,
  connectToAddress,
  connectToProxy,
  proxyHeaders,
  type Resolve,
  resolveBySystem,
} from './connect.ts'
import { httpOverSockets } from './http-over-sockets.ts'
import { BAD_GATEWAY, relay, requestHeadersToPass } from './relay.ts'
import { joinSockets, type OpenSockets, type SocketServer, untilClosed } from './socket-server.ts'

export interface ProxyOptions extends NetworkAccess {
  /** Looks names up; by default as all programs of this machine do. */
  readonly resolve?: Resolve
  readonly upstream: UpstreamProxies
  /** Receives every refusal, also repeated ones. */
  onRefused(refused: RefusedHost): void
  readonly idleMs?: number
  readonly connectionsMax?: number
}

/** Opens the HTTP and HTTPS proxy through which programs in the sandbox reach the hosts that they may reach. */
export function openProxy(options: ProxyOptions): SocketServer {
  return httpOverSockets(
    {
      answer: (request, response, sockets) => passOn(options, request, response, sockets),
      connect: (request, socket, head, sockets) => openTunnel(options, request, socket, head, sockets),
    },
    {
      connectionsMax: options.connectionsMax ?? SANDBOX_CONNECTIONS_MAX,
      idleMs: options.idleMs ?? SANDBOX_IDLE_MS_MAX,
      requestsPerConnection: 'one',
    },
  )
}

const OK = 200
const BAD_REQUEST = 400
const FORBIDDEN = 403

/** Outcome of reaching for a host: a connection, or the status and words of the answer. */
type Reached =
  | { readonly kind: 'open'; readonly socket: Socket; readonly proxy: URL | null }
  | { readonly kind: 'closed'; readonly status: number; readonly text: string }

async function openTunnel(
  options: ProxyOptions,
  { url = '' }: IncomingMessage,
  socket: Socket,
  head: Buffer,
  sockets: OpenSockets,
): Promise<void> {
  const target = readAuthority(url)
  if (target === null) return refuseTunnel(socket, BAD_REQUEST, 'longhaul: CONNECT needs a host and a port')
  const reached = await reach(options, target, 'https', untilClosed(socket))
  if (reached.kind === 'closed') return refuseTunnel(socket, reached.status, reached.text)
  sockets.add(reached.socket)
  socket.write(`HTTP/1.1 ${OK} Connection established\r\n\r\n`)
  if (head.length > 0) reached.socket.write(head)
  joinSockets(socket, reached.socket)
}

// Many programs show the first line of such an answer only, so it says everything.
function refuseTunnel(socket: Socket, status: number, text: string): void {
  const body = `${text}\n`
  const length = Buffer.byteLength(body)
  const headers = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${length}\r\nconnection: close`
  socket.resume()
  socket.end(`HTTP/1.1 ${status} ${text.replaceAll(/[^ -~]/g, '?')}\r\n${headers}\r\n\r\n${body}`)
  socket.once('finish', () => socket.destroySoon())
}

async function passOn(
  options: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
  sockets: OpenSockets,
): Promise<void> {
  const answer = (status: number, text: string) => {
    if (response.headersSent || response.destroyed) return response.destroy()
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    return response.end(`${text}\n`)
  }
  const url = readUrl(request.url ?? '')
  if (typeof url === 'string') return void answer(BAD_REQUEST, `longhaul: ${url}`)
  const target = { host: url.hostname, port: Number(url.port || 80) }
  const reached = await reach(options, target, 'http', untilClosed(response))
  if (reached.kind === 'closed') return void answer(reached.status, reached.text)
  sockets.add(reached.socket)
  const path = `${url.pathname}${url.search}`
  const headers = { ...requestHeadersToPass(request), host: url.host }
  const onward =
    reached.proxy === null
      ? { path, headers }
      : { path: `http://${url.host}${path}`, headers: { ...headers, ...proxyHeaders(reached.proxy) } }
  relay({ request, response }, { socket: reached.socket, ...onward }, (why) =>
    answer(BAD_GATEWAY, unreachable(target.host, why)),
  )
}

async function reach(
  options: ProxyOptions,
  { host, port }: NetworkTarget,
  scheme: 'http' | 'https',
  signal: AbortSignal,
): Promise<Reached> {
  const read = readHost(host)
  const target = { host: read.kind === 'name' ? read.name : host, port }
  const refused = refuseTarget(options, target)
  if (refused !== null) return refusal(options, refused)
  try {
    const proxy = proxyFor(options.upstream, target, scheme)
    if (proxy !== null) return await reachThrough(options, new URL(proxy), target, scheme, signal)
    const addresses = allowedAddresses(options, target, await resolveOf(options)(target.host))
    if ('why' in addresses) return refusal(options, addresses)
    return { kind: 'open', socket: await connectToAddress(addresses, port, signal), proxy: null }
  } catch (cause) {
    return { kind: 'closed', status: BAD_GATEWAY, text: unreachable(target.host, messageOf(cause)) }
  }
}

/** Connects through the user's proxy, which looks the name up; a host of no rule must not look private from here. */
async function reachThrough(
  options: ProxyOptions,
  proxy: URL,
  target: NetworkTarget,
  scheme: 'http' | 'https',
  signal: AbortSignal,
): Promise<Reached> {
  if (!isHostAllowed(options.rules, target.host, target.port)) {
    const addresses = allowedAddresses(options, target, await addressesInTime(resolveOf(options), target.host))
    if ('why' in addresses) return refusal(options, addresses)
  }
  if (scheme === 'http') return { kind: 'open', socket: await connectToProxy(proxy, signal), proxy }
  return { kind: 'open', socket: await connectThroughProxy(proxy, target, signal), proxy }
}

// Behind a proxy, names of the internet often cannot be looked up, or only after a long wait.
async function addressesInTime(resolve: Resolve, host: string): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly string[]>((end) => {
    timer = setTimeout(end, LOOKUP_MS_MAX, [])
  })
  try {
    return await Promise.race([resolve(host).catch(() => []), late])
  } finally {
    clearTimeout(timer)
  }
}

const LOOKUP_MS_MAX = 2_000

function refusal({ onRefused }: ProxyOptions, refused: RefusedHost): Reached {
  onRefused(refused)
  return { kind: 'closed', status: FORBIDDEN, text: refusedHostLine(refused) }
}

function resolveOf({ resolve = resolveBySystem }: ProxyOptions): Resolve {
  return resolve
}

function readAuthority(text: string): NetworkTarget | null {
  const [, host, port] = /^(\[[^\]]*\]|[^:]+):(\d{1,5})$/.exec(text) ?? []
  return host === undefined ? null : { host, port: Number(port) }
}

/** Reads the URL of a plain request, or says what is wrong with it. */
function readUrl(text: string): URL | string {
  if (text.startsWith('/')) return 'this is a proxy, not a website'
  if (!URL.canParse(text)) return 'the URL of the request cannot be read'
  const url = new URL(text)
  if (url.protocol !== 'http:') return `use CONNECT for ${url.protocol}// URLs`
  return url.username !== '' || url.password !== '' ? 'a URL with a user or password is not passed on' : url
}

function unreachable(host: string, why: string): string {
  return `longhaul: ${host} could not be reached: ${why}`
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

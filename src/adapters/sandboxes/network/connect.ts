import { lookup } from 'node:dns/promises'
import { request } from 'node:http'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { NetworkTarget } from '../../../core/sandbox/network-access.ts'

/** Returns the addresses of a host; fails when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** Resolves names as all programs of this machine do. */
export const resolveBySystem: Resolve = async (host) => {
  const entries = await lookup(host, { all: true, verbatim: true })
  return entries.map(({ address }) => address)
}

/** Connects to the first address that answers; no name is looked up again. */
export async function connectToAddress(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  let failure: unknown = new Error('it has no address')
  for (const address of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
    signal.throwIfAborted()
    if (isIP(address) === 0) continue
    try {
      return await connected(connectTcp({ host: address, port, allowHalfOpen: true }), 'connect', signal)
    } catch (cause) {
      failure = cause
    }
  }
  throw failure
}

/** Connects to a proxy of the user. */
export function connectToProxy(proxy: URL, signal: AbortSignal): Promise<Socket> {
  const host = hostOf(proxy)
  if (proxy.protocol === 'http:') {
    const port = Number(proxy.port || 80)
    return connected(connectTcp({ host, port, allowHalfOpen: true }), 'connect', signal)
  }
  if (proxy.protocol !== 'https:') throw new Error(`proxies of the kind ${proxy.protocol}// are not supported`)
  const name = isIP(host) === 0 ? { servername: host } : {}
  return connected(connectTls({ host, port: Number(proxy.port || 443), ...name }), 'secureConnect', signal)
}

/** Opens a tunnel to a host through a proxy of the user, which looks the name up. */
export async function connectThroughProxy(
  proxy: URL,
  { host, port }: NetworkTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await connectToProxy(proxy, signal)
  const authority = `${host}:${port}`
  const headers = { host: authority, 'proxy-connection': 'keep-alive', ...proxyHeaders(proxy) }
  return bounded(socket, signal, (resolve, reject) => {
    const asking = request({ createConnection: () => socket, method: 'CONNECT', path: authority, headers })
    asking.once('error', reject)
    asking.once('connect', ({ statusCode }, _, head) => {
      if (statusCode !== 200) return reject(new Error(`your proxy ${proxy.host} answered with status ${statusCode}`))
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asking.end()
  })
}

/** Returns the headers that sign in to a proxy with the user and password of its URL. */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const pair = `${decoded(username)}:${decoded(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Starts TLS on a connection and verifies that the host is the one it claims to be. */
export function secured(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const name = isIP(host) === 0 ? { servername: host } : { host }
  return connected(connectTls({ socket, ...name, ALPNProtocols: ['http/1.1'] }), 'secureConnect', signal)
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return text
  }
}

const ADDRESSES_TRIED_MAX = 4
const CONNECT_MS_MAX = 15_000

function connected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return bounded(socket, signal, (resolve) => socket.once(event, () => resolve(socket)))
}

/** Waits until a socket can be used; destroys it on failure, after a time limit, and when the signal is aborted. */
function bounded(
  socket: Socket,
  signal: AbortSignal,
  wait: (resolve: (socket: Socket) => void, reject: (cause: Error) => void) => void,
): Promise<Socket> {
  return new Promise<Socket>((resolve, reject) => {
    const end = (cause: Error) => {
      settle()
      socket.destroy()
      reject(cause)
    }
    const onClose = () => end(new Error('the connection was closed'))
    const onAbort = () => end(new Error('cancelled'))
    const timer = setTimeout(() => end(new Error('no answer in time')), CONNECT_MS_MAX)
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.off('close', onClose)
    }
    // Stays for good: an error without a listener would end the engine.
    socket.on('error', end)
    socket.once('close', onClose)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) return onAbort()
    wait((ready) => {
      settle()
      resolve(ready)
    }, end)
  })
}

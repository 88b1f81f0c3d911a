import type { SandboxSettings } from '../../core/model/settings.ts'
import type { HostRule } from '../../core/sandbox/host-rules.ts'
import { networkAccess, type RefusedHost } from '../../core/sandbox/network-access.ts'
import { SANDBOX_PORTS } from '../../core/sandbox/ports.ts'
import { upstreamProxies } from '../../core/sandbox/upstream-proxy.ts'
import type { Enclosing, ModelAccess } from '../../ports/sandbox.ts'
import type { Listener } from '../../process/start/listeners.ts'
import type { Network } from './bubblewrap/bubblewrap.ts'
import { resolveBySystem } from './network/connect.ts'
import { forwardTo } from './network/forward-loopback.ts'
import { openProxy } from './network/http-proxy.ts'
import { openModelEndpoint } from './network/model-endpoint.ts'
import type { SocketServer } from './network/socket-server.ts'

/** Circumstances that decide which hosts programs of a repository reach. */
export interface SandboxNetworkOptions {
  readonly settings: SandboxSettings
  /** Environment of the user, with the proxy that leads out of this machine. */
  readonly environment: Readonly<Record<string, string>>
  /** Asks for the registries of the user's package managers. */
  readonly registries: () => Promise<readonly HostRule[]>
  /** URL of the remote `origin`, or null. */
  readonly origin: string | null
}

/** Returns the ports that a program finds open in its sandbox: the proxy, ports of this machine, our own. */
export function sandboxNetwork(options: SandboxNetworkOptions): (order: Enclosing) => Network {
  return (order) => {
    // Git in a workspace has no business outside.
    if (order.purpose === 'git') return { listeners: [], env: {} }
    const ours = [
      ...(order.listeners ?? []),
      listenerAt(
        SANDBOX_PORTS.proxy,
        openedOnUse(() => proxyFor(options, order)),
      ),
      ...(order.model === undefined ? [] : [listenerAt(SANDBOX_PORTS.model, modelEndpoint(options, order.model))]),
    ]
    const taken = new Set(ours.map(({ port }) => port))
    const loopback = new Set([...options.settings.loopback, ...(order.loopback ?? [])])
    const forwarded = [...loopback].filter((port) => !taken.has(port)).map((port) => listenerAt(port, forwardTo(port)))
    return { listeners: [...ours, ...forwarded], env: PROXY_VARIABLES }
  }
}

const PROXY = `http://127.0.0.1:${SANDBOX_PORTS.proxy}`
const DIRECT = 'localhost,127.0.0.1,::1'
const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  NO_PROXY: DIRECT,
  no_proxy: DIRECT,
  // Node's own fetch looks at the variables above only with this.
  NODE_USE_ENV_PROXY: '1',
}

/** Opens a server for its first connection; most programs have none. */
function openedOnUse(open: () => Promise<SocketServer>): SocketServer {
  let opening: Promise<SocketServer> | null = null
  return {
    serve(socket) {
      opening ??= open()
      void opening.then((server) => server.serve(socket))
    },
    close: async () => (await opening)?.close(),
  }
}

async function proxyFor(
  { settings, environment, registries, origin }: SandboxNetworkOptions,
  order: Enclosing,
): Promise<SocketServer> {
  const { purpose, hosts = [], onRefused } = order
  const access = networkAccess({
    level: settings.level === 'strict' ? 'strict' : 'standard',
    isAgent: purpose === 'agent',
    hosts: settings.hosts,
    web: settings.web ? 'on' : 'off',
    modelHosts: hosts,
    registries: settings.level === 'strict' ? [] : await registries(),
    origin,
  })
  return openProxy({
    ...access,
    resolve: resolveBySystem,
    upstream: upstreamProxies(environment),
    onRefused: (refused: RefusedHost) => onRefused?.(refused),
  })
}

function modelEndpoint({ environment }: SandboxNetworkOptions, { url, headers }: ModelAccess): SocketServer {
  const upstream = upstreamProxies(environment)
  return openModelEndpoint({ target: new URL(url), headers, upstream, resolve: resolveBySystem })
}

function listenerAt(port: number, server: SocketServer): Listener {
  return { port, serve: (socket) => server.serve(socket), close: () => void server.close() }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { AccessRequest, GrantedAccess } from '../../ports/agent-tools.ts'
import type { Listener } from '../../process/start/listeners.ts'
import { AccessTokens } from './access-tokens.ts'
import type { ToolApp } from './tool-app.ts'

/** Server that the agents of one engine call their tools at. */
export interface Endpoint {
  grantAccess(round: AccessRequest): GrantedAccess
  close(): Promise<void>
}

/** Opens the endpoint at a port that exists inside of sandboxes only, or (null) on a free port of this machine's loopback address. */
export async function openEndpoint(sandboxPort: number | null): Promise<Endpoint | Problem> {
  const tokens = new AccessTokens<AccessRequest>()
  let url = new URL(`http://127.0.0.1${PATH}`)
  let loading: Promise<ToolApp | null> | null = null
  const load = () => {
    loading ??= loadApp(tokens, url)
    return loading
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const app = await load()
    if (app === null) response.destroy()
    else await app.answer(request, response)
  }
  // An agent may not call for a long time, and its connection must stay open.
  const server = createServer({ keepAliveTimeout: 0 }, answer)
  const port = sandboxPort ?? (await listen(server))
  if (isProblem(port)) return port
  url = new URL(`http://127.0.0.1:${port}${PATH}`)
  const listener: Listener | null =
    sandboxPort === null ? null : { port, serve: (socket) => void server.emit('connection', socket), close: () => {} }
  return {
    grantAccess(round) {
      // Loads the large packages while the agent starts, which takes longer.
      if (loading === null) setTimeout(load, LOAD_MS).unref()
      const { token, revoke } = tokens.issue(round)
      const end = () => {
        revoke()
        void loading?.then((app) => app?.closeRound(round))
      }
      return { url: url.href, token, listener, revoke: end }
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function listen(server: Server): Promise<number | Problem> {
  try {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (cause) {
    return notOpened(cause)
  }
}

const PATH = '/mcp'
const LOAD_MS = 100

/** Loads the tool app, or null when that fails; agents then work without tools. */
async function loadApp(tokens: AccessTokens<AccessRequest>, url: URL): Promise<ToolApp | null> {
  try {
    return (await import('./tool-app.ts')).toolApp(tokens, url)
  } catch {
    return null
  }
}

function notOpened(cause: unknown): Problem {
  return problem({
    code: 'tools-not-offered',
    message: `The endpoint for agents' tools could not be opened: ${String(cause)}`,
    hint: 'Allow programs to listen on 127.0.0.1.',
    retry: 'later',
    cause,
  })
}

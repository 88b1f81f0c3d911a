import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Problem, problem } from '../../core/model/problem.ts'
import type { AccessRequest, GrantedAccess } from '../../ports/agent-tools.ts'
import { AccessTokens } from './access-tokens.ts'
import type { ToolApp } from './tool-app.ts'

/** Where the agents of one engine call their tools. */
export interface Endpoint {
  admit(round: AccessRequest): GrantedAccess
  close(): Promise<void>
}

/** Opens the endpoint on the loopback address, on a port that is free. */
export async function openEndpoint(): Promise<Endpoint | Problem> {
  const guests = new AccessTokens<AccessRequest>()
  let url = new URL(`http://127.0.0.1${PATH}`)
  let loading: Promise<ToolApp | null> | null = null
  const load = () => {
    loading ??= loadApp(guests, url)
    return loading
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const app = await load()
    if (app === null) response.destroy()
    else await app.answer(request, response)
  }
  // An agent may be at other things for long, and must find its connection open afterwards.
  const server = createServer({ keepAliveTimeout: 0 }, answer)
  try {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  } catch (cause) {
    return notOpened(cause)
  }
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`)
  return {
    admit(round) {
      // An agent takes longer to begin than this, and we have nothing to do then.
      if (loading === null) setTimeout(load, LOAD_MS).unref()
      const { token, revoke } = guests.admit(round)
      const end = () => {
        revoke()
        void loading?.then((app) => app?.forget(round))
      }
      return { url: url.href, token, revoke: end }
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const PATH = '/mcp'
const LOAD_MS = 100

/** Null: it cannot be loaded, and agents go without our tools. */
async function loadApp(guests: AccessTokens<AccessRequest>, url: URL): Promise<ToolApp | null> {
  try {
    return (await import('./tool-app.ts')).toolApp(guests, url)
  } catch {
    return null
  }
}

function notOpened(cause: unknown): Problem {
  return problem({
    code: 'tools-not-offered',
    message: `The endpoint for agents' tools cannot be opened: ${String(cause)}`,
    hint: 'See that programs may listen on 127.0.0.1.',
    retry: 'later',
    cause,
  })
}

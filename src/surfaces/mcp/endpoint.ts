import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import { type Problem, problem } from '../../core/model/problem.ts'
import type { Admission, RoundToAdmit } from '../../ports/agent-tools.ts'
import { Guests } from './guests.ts'
import { toolServer } from './tool-server.ts'

/** Where the agents of one engine call their tools. */
export interface Endpoint {
  admit(round: RoundToAdmit): Admission
  close(): Promise<void>
}

/** Opens the endpoint on the loopback address, on a port that is free. */
export async function openEndpoint(): Promise<Endpoint | Problem> {
  const guests = new Guests<McpHttpHandler>()
  // An agent may be at other things for long, and must find its connection open afterwards.
  const serverOptions = { keepAliveTimeout: 0 }
  let host = ''
  const app = routes(guests, () => host)
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server
  try {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  } catch (cause) {
    return notOpened(cause)
  }
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    admit(round) {
      const handler = createMcpHandler(() => toolServer(round), { maxRequestBodySize: BODY_BYTES_MAX })
      const { token, revoke } = guests.admit(handler)
      const end = () => {
        revoke()
        void handler.close()
      }
      return { url: `http://${host}${PATH}`, token, revoke: end }
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const PATH = '/mcp'
const BODY_BYTES_MAX = 256 * 1024

function routes(guests: Guests<McpHttpHandler>, host: () => string): Hono {
  const app = new Hono()
  // A page in a browser can send requests here; it cannot hide where it comes from.
  app.use(async (context, next) => {
    const origin = context.req.header('origin')
    const isOwn = context.req.header('host') === host() && (origin === undefined || origin === `http://${host()}`)
    return isOwn ? next() : context.text('Not for you.', 403)
  })
  app.all(PATH, async (context) => {
    const guest = guests.find(bearerOf(context))
    if (guest === null) return context.text('Unknown token.', 401, { 'WWW-Authenticate': 'Bearer' })
    const response = await guest.fetch(context.req.raw)
    // Where the rest of a request is not read, its connection is of no use to a next one.
    if (response.status === 413) response.headers.set('Connection', 'close')
    return response
  })
  return app
}

function bearerOf({ req }: Context): string {
  return /^Bearer (\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
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

import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import type { AccessRequest } from '../../ports/agent-tools.ts'
import type { AccessTokens } from './access-tokens.ts'
import { toolServer } from './tool-server.ts'

// Large packages do the work: this module is loaded while an agent begins.

/** What answers the calls of agents. */
export interface ToolApp {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** A round is over: nothing of it stays open. */
  forget(round: AccessRequest): void
}

/** Makes what answers guests at this address, and nobody else. */
export function toolApp(guests: AccessTokens<AccessRequest>, { host, origin: ownOrigin, pathname }: URL): ToolApp {
  const handlers = new Map<AccessRequest, McpHttpHandler>()
  const handlerOf = (round: AccessRequest): McpHttpHandler => {
    const known = handlers.get(round)
    if (known !== undefined) return known
    const handler = createMcpHandler(() => toolServer(round), { maxRequestBodySize: BODY_BYTES_MAX })
    handlers.set(round, handler)
    return handler
  }
  const app = new Hono()
  // A page in a browser can send requests here; it cannot hide where it comes from.
  app.use(async (context, next) => {
    const origin = context.req.header('origin')
    const isOwn = context.req.header('host') === host && (origin === undefined || origin === ownOrigin)
    return isOwn ? next() : context.text('Not for you.', 403)
  })
  app.all(pathname, async (context) => {
    const guest = guests.find(bearerOf(context))
    if (guest === null) return context.text('Unknown token.', 401, { 'WWW-Authenticate': 'Bearer' })
    const response = await handlerOf(guest).fetch(context.req.raw)
    // Where the rest of a request is not read, its connection is of no use to a next one.
    if (response.status === 413) response.headers.set('Connection', 'close')
    return response
  })
  return {
    answer: getRequestListener(app.fetch),
    forget(round) {
      void handlers.get(round)?.close()
      handlers.delete(round)
    },
  }
}

const BODY_BYTES_MAX = 256 * 1024

function bearerOf({ req }: Context): string {
  return /^Bearer (\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
}

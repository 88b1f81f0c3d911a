import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import type { AccessRequest } from '../../ports/agent-tools.ts'
import type { AccessTokens } from './access-tokens.ts'
import { toolServer } from './tool-server.ts'

// Imports large packages, so it is loaded while an agent starts.

/** Answers the HTTP requests of agents. */
export interface ToolApp {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Closes the connections of a round that has ended. */
  closeRound(round: AccessRequest): void
}

/** Makes the app that serves holders of a token at this address. */
export function toolApp(tokens: AccessTokens<AccessRequest>, { host, origin: ownOrigin, pathname }: URL): ToolApp {
  const handlers = new Map<AccessRequest, McpHttpHandler>()
  const handlerOf = (round: AccessRequest): McpHttpHandler => {
    const known = handlers.get(round)
    if (known !== undefined) return known
    const handler = createMcpHandler(() => toolServer(round), { maxRequestBodySize: BODY_BYTES_MAX })
    handlers.set(round, handler)
    return handler
  }
  const app = new Hono()
  // Web pages in a browser can send requests here, but cannot forge their origin.
  app.use(async (context, next) => {
    const origin = context.req.header('origin')
    const isOwn = context.req.header('host') === host && (origin === undefined || origin === ownOrigin)
    return isOwn ? next() : context.text('Forbidden.', 403)
  })
  app.all(pathname, async (context) => {
    const round = tokens.find(bearerOf(context))
    if (round === null) return context.text('Unknown token.', 401, { 'WWW-Authenticate': 'Bearer' })
    const response = await handlerOf(round).fetch(context.req.raw)
    // The rest of the body was not read, so the connection cannot be reused.
    if (response.status === 413) response.headers.set('Connection', 'close')
    return response
  })
  return {
    answer: getRequestListener(app.fetch),
    closeRound(round) {
      void handlers.get(round)?.close()
      handlers.delete(round)
    },
  }
}

const BODY_BYTES_MAX = 256 * 1024

function bearerOf({ req }: Context): string {
  return /^Bearer (\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
}

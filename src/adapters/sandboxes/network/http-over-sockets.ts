import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionLimits, OpenSockets, type SocketServer } from './socket-server.ts'

/** Requests that a server answers; a failure of either function closes the connection. */
export interface HttpAnswers {
  answer(request: IncomingMessage, response: ServerResponse, sockets: OpenSockets): Promise<void>
  /** Answers CONNECT; without it the connection is closed. */
  connect?(request: IncomingMessage, socket: Socket, head: Buffer, sockets: OpenSockets): Promise<void>
}

/** Speaks HTTP on connections that are accepted elsewhere. */
export function httpOverSockets(
  { answer, connect }: HttpAnswers,
  limits: ConnectionLimits & { readonly requestsPerConnection: 'one' | 'many' },
): SocketServer {
  const sockets = new OpenSockets(limits)
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX, keepAliveTimeout: 0, requestTimeout: 0 })
  const isOneRequest = limits.requestsPerConnection === 'one'
  server.maxRequestsPerSocket = isOneRequest ? 1 : 0
  // A header that is left out unseen could be the one that says where the body ends.
  server.maxHeadersCount = 0
  server.on('request', (request, response) => {
    if (isOneRequest) response.shouldKeepAlive = false
    answer(request, response, sockets).catch(() => response.destroy())
  })
  server.on('connect', (request, duplex, head) => {
    const socket = duplex as Socket
    if (connect === undefined) socket.destroy()
    else connect(request, socket, head, sockets).catch(() => socket.destroy())
  })
  return {
    serve(socket) {
      if (sockets.accept(socket)) server.emit('connection', socket)
    },
    close: () => sockets.close(),
  }
}

const HEADER_BYTES_MAX = 32 * 1024

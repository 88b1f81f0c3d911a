import { connect } from 'node:net'
import { SANDBOX_CONNECTIONS_MAX, SANDBOX_IDLE_MS_MAX } from '../../../core/limits/limits.ts'
import { joinSockets, OpenSockets, type SocketServer } from './socket-server.ts'

/** Passes connections on to a port of this machine's loopback address, outside of the sandbox. */
export function forwardTo(port: number): SocketServer {
  const sockets = new OpenSockets({ connectionsMax: SANDBOX_CONNECTIONS_MAX, idleMs: SANDBOX_IDLE_MS_MAX })
  return {
    serve(socket) {
      if (!sockets.accept(socket)) return
      const outside = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
      sockets.add(outside)
      joinSockets(socket, outside)
    },
    close: () => sockets.close(),
  }
}

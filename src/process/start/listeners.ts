import type { ChildProcess } from 'node:child_process'
import type { Server, Socket } from 'node:net'

/** Port that a program finds open on its own loopback address. */
export interface Listener {
  readonly port: number
  /** Answers one connection. */
  serve(socket: Socket): void
  /** Called when the program has ended. */
  close(): void
}

/** File descriptor of the channel on which opened listeners reach the engine. */
const LISTENER_CHANNEL = 4

// A network namespace can be entered from inside only: a small Node program there opens the ports and sends them to the
// engine, which accepts the connections. It has ended before the contained program begins.

/** Part of the start script that opens the listeners and removes the arguments of `openingCommand`. */
export const OPEN_LISTENERS = `NODE_OPTIONS= "$1" -e "$2" "$3" </dev/null || exit 125
shift 3
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
exec ${LISTENER_CHANNEL}>&-`

const OPEN_AND_SEND = `
const { createServer } = require('node:net')
const open = (ports) => {
  const [port, ...others] = ports
  if (port === undefined) process.exit(0)
  const server = createServer()
  server.once('error', () => process.exit(1))
  server.listen(port, '127.0.0.1', () => process.send({ port }, server, () => open(others)))
}
open(process.argv[1].split(',').map(Number))
`

/** Arguments that `OPEN_LISTENERS` expects: Node, its program and the ports. */
export function openingCommand(listeners: readonly Listener[]): readonly string[] {
  if (listeners.length === 0) return []
  return [process.execPath, OPEN_AND_SEND, listeners.map(({ port }) => port).join(',')]
}

/** Answers connections to the ports that a child process has opened, until it ends. */
export function serveListeners(child: ChildProcess, listeners: readonly Listener[]): void {
  const open = new Set<Server | Socket>()
  child.on('message', (message: { readonly port: number }, handle) => {
    const server = handle as Server
    const listener = listeners.find(({ port }) => port === message.port)
    server.on('connection', (socket) => {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      // A connection that breaks ends; its other side notices by itself.
      socket.on('error', () => socket.destroy())
      listener?.serve(socket)
    })
    open.add(server)
  })
  child.channel?.unref()
  child.once('exit', () => {
    for (const one of open) {
      if ('destroy' in one) one.destroy()
      else one.close()
    }
    for (const listener of listeners) listener.close()
  })
}

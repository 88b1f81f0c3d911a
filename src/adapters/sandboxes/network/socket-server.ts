import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'

/** Answers connections that are accepted elsewhere, such as those of a listener inside the sandbox. */
export interface SocketServer {
  serve(socket: Socket): void
  /** Ends every connection; resolves when all are closed. */
  close(): Promise<void>
}

/** Limits of a server's connections. */
export interface ConnectionLimits {
  readonly connectionsMax: number
  /** Time without any data after which a connection is closed; 0 for no limit. */
  readonly idleMs: number
}

/** Sockets of a server, on both sides, until they are closed. */
export class OpenSockets {
  readonly #limits: ConnectionLimits
  readonly #sockets = new Set<Socket>()
  #served = 0
  #isClosed = false

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Accepts a connection of a program, or destroys it and returns false when there are too many. */
  accept(socket: Socket): boolean {
    if (this.#isClosed || this.#served >= this.#limits.connectionsMax) {
      socket.on('error', ignore).destroy()
      return false
    }
    this.#served += 1
    socket.once('close', () => {
      this.#served -= 1
    })
    this.add(socket)
    return true
  }

  /** Owns a socket until it is closed. */
  add(socket: Socket): void {
    // Every error is followed by "close", which is what the other side reacts to.
    socket.on('error', ignore)
    socket.setTimeout(this.#limits.idleMs, () => socket.destroy())
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#isClosed) socket.destroy()
  }

  /** Destroys all sockets and waits until they are closed. */
  async close(): Promise<void> {
    this.#isClosed = true
    const closed = [...this.#sockets].map((socket) => new Promise<void>((resolve) => socket.once('close', resolve)))
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(closed)
  }
}

/** Passes everything between two sockets, either direction ending by itself; when one fails, the other is closed. */
export function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.allowHalfOpen = true
    from.once('close', (hadError) => (hadError ? to.destroy() : to.destroySoon()))
    from.pipe(to)
    if (from.destroyed) to.destroy()
  }
}

/** Returns a signal that is aborted when a connection, or the response on it, is closed. */
export function untilClosed(stream: Writable): AbortSignal {
  const controller = new AbortController()
  if (stream.destroyed) controller.abort()
  else stream.once('close', () => controller.abort())
  return controller.signal
}

function ignore(): void {}

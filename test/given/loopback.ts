import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Servers and connections of one test on 127.0.0.1, which end together. */
export class Loopback {
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()

  /** Listens on a free port. */
  async listen(onConnection: (socket: Socket) => void): Promise<number> {
    return this.#open(createServer({ allowHalfOpen: true }, onConnection))
  }

  /** Listens on a free port and speaks HTTP. */
  async website(answer: RequestListener): Promise<number> {
    return this.#open(createHttpServer(answer))
  }

  /** Connects to a port. */
  connect(port: number): Socket {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    this.#own(socket)
    return socket
  }

  /** Sends bytes and returns all that comes back until the other side ends. */
  async exchange(port: number, ...bytes: readonly string[]): Promise<string> {
    const socket = this.connect(port)
    for (const part of bytes) socket.write(part, 'latin1')
    return readAll(socket)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }

  async #open(server: Server): Promise<number> {
    server.on('connection', (socket) => this.#own(socket))
    this.#servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  #own(socket: Socket): void {
    this.#sockets.add(socket)
    // The other side may reset the connection; tests look at what arrived before.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

/** Returns all that arrives on a socket until it ends or is closed. */
export async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  await new Promise<void>((resolve) => {
    socket.once('end', resolve)
    socket.once('close', () => resolve())
  })
  return text
}

/** Reads until the text that has arrived contains the given one. */
export async function readUntil(socket: Socket, wanted: string): Promise<string> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString('latin1')
    if (text.includes(wanted)) break
  }
  return text
}

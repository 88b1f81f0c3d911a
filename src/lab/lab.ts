import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Problem, problem } from '../core/model/problem.ts'
import type { LabRequest } from './lab-request.ts'
import { LabMemory } from './memory.ts'
import { respond } from './respond.ts'
import type { Scenario } from './scenario.ts'

/** A model server on this machine that plays a scenario. */
export interface Lab {
  /** The base URL for an agent; a path that is put behind it names a run, with a count and faults of its own. */
  readonly url: string
  /** The latest requests, oldest first. */
  readonly requests: readonly LabRequest[]
  close(): Promise<void>
}

export interface LabOptions {
  readonly scenario: Scenario
  now(): number
  /** By default any that is free. */
  readonly port?: number
  /** Requests that a run may make; an agent that loops is told to stop. */
  readonly requestsMax?: number
  /** A file to which each request is appended as a line of JSON. */
  readonly record?: string | null
  /** Told of each request. */
  heard?(request: LabRequest): void
}

const REQUESTS_MAX = 500
const KEPT_MAX = 2_000

/** Opens a lab on the loopback address. */
export async function openLab(options: LabOptions): Promise<Lab | Problem> {
  const { scenario, now, requestsMax = REQUESTS_MAX } = options
  const file = typeof options.record === 'string' ? createWriteStream(options.record, { flags: 'a' }) : null
  // A full disk only ends the recording: what was asked is still kept in memory.
  file?.on('error', () => {})
  const requests: LabRequest[] = []
  const keep = (request: LabRequest): void => {
    requests.push(request)
    if (requests.length > KEPT_MAX) requests.shift()
    file?.write(`${JSON.stringify(request)}\n`)
    options.heard?.(request)
  }
  const playing = { scenario, memory: new LabMemory(), requestsMax, now, keep }
  // An agent may be at a tool for long, and must find its connection open afterwards.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void respond(request, response, playing).catch(() => response.destroy())
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
    await endOf(file)
  }
  try {
    await Promise.all([once(server, 'listening'), file === null ? null : once(file, 'open')])
  } catch (cause) {
    await close()
    return notOpened(cause)
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, close }
}

async function endOf(file: WriteStream | null): Promise<void> {
  if (file === null || file.closed) return
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()))
  file.end()
  await closed
}

function notOpened(cause: unknown): Problem {
  return problem({
    code: 'lab-not-opened',
    message: `The lab cannot be opened: ${String(cause)}`,
    hint: 'Choose another port, or another file to record to.',
    retry: 'person',
    cause,
  })
}

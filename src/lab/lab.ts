import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Problem, problem } from '../core/model/problem.ts'
import { LabMemory } from './lab-memory.ts'
import type { LabRequest } from './lab-request.ts'
import { respond } from './respond.ts'
import type { Scenario } from './scenario.ts'

/** Local model server that plays a scenario. */
export interface Lab {
  /** Base URL for an agent; a path after it names a run, which has separate counts and faults. */
  readonly url: string
  /** Latest requests, oldest first. */
  readonly requests: readonly LabRequest[]
  close(): Promise<void>
}

export interface LabOptions {
  readonly scenario: Scenario
  now(): number
  /** Any free port by default. */
  readonly port?: number
  /** Maximum of requests per run, which stops an agent that loops. */
  readonly requestsMax?: number
  /** File that each request is appended to as a line of JSON. */
  readonly record?: string | null
  /** Called with each request. */
  onRequest?(request: LabRequest): void
}

const REQUESTS_MAX = 500
const REQUESTS_KEPT_MAX = 2_000

/** Opens a lab on the loopback address. */
export async function openLab(options: LabOptions): Promise<Lab | Problem> {
  const { scenario, now, requestsMax = REQUESTS_MAX } = options
  const file = typeof options.record === 'string' ? createWriteStream(options.record, { flags: 'a' }) : null
  // A full disk only ends the recording; requests are still kept in memory.
  file?.on('error', () => {})
  const requests: LabRequest[] = []
  const onRequest = (request: LabRequest): void => {
    requests.push(request)
    if (requests.length > REQUESTS_KEPT_MAX) requests.shift()
    file?.write(`${JSON.stringify(request)}\n`)
    options.onRequest?.(request)
  }
  const context = { scenario, memory: new LabMemory(), requestsMax, now, onRequest }
  // A tool may run for a long time, and the agent's connection must stay open.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void respond(request, response, context).catch(() => response.destroy())
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
    message: `The lab could not be opened: ${String(cause)}`,
    hint: 'Choose another port, or another file to record to.',
    retry: 'person',
    cause,
  })
}

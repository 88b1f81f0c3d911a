import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from './answer.ts'
import type { WireAnswer } from './dialect.ts'

/** Sends an answer, as quickly and as far as its delivery says; ends early when nobody listens any more. */
export async function send(response: ServerResponse, wire: WireAnswer, delivery: Delivery): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.writeHead(wire.status, wire.headers)
  const chunks = delivery.kind === 'cut' ? wire.chunks.slice(0, Math.ceil(wire.chunks.length / 2)) : wire.chunks
  for (const chunk of chunks) {
    if (delivery.kind === 'slow') await pause(delivery.chunkMs, undefined, { signal: gone.signal }).catch(() => {})
    if (gone.signal.aborted) return
    response.write(chunk)
  }
  if (delivery.kind === 'cut') response.write('', () => response.destroy())
  else response.end()
}

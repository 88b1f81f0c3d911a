import type { RequestId } from '../core/model/ids.ts'
import type { Decision, Request } from '../core/model/input.ts'
import type { Problem } from '../core/model/problem.ts'
import type { Store } from '../ports/store.ts'

/** Answer to a request: refused with a problem, or accepted with the number of events of each kind. */
export type RequestAnswer =
  | { readonly kind: 'accepted'; readonly counts: Readonly<Record<string, number>> }
  | { readonly kind: 'refused'; readonly problem: Problem }

/** Stores a request for the engine and waits for its answer; null when the engine exits without answering. */
export async function sendRequest(
  store: Store,
  { id, request, at }: { readonly id: RequestId; readonly request: Request; readonly at: number },
  isEngineRunning: () => Promise<boolean>,
): Promise<RequestAnswer | null> {
  await store.addRequest(id, request, at)
  for (;;) {
    const changed = nextChange(store)
    // Checked before the answer is read: an engine may answer in its last moment.
    const wasRunning = await isEngineRunning()
    const answer = await store.requestAnswer(id)
    if (answer !== null) return answer as RequestAnswer
    if (!wasRunning) return null
    await changed
  }
}

/** Passes requests of other processes to the engine until it is closed. */
export function serveRequests(
  store: Store,
  engine: { request(id: RequestId, request: Request): Promise<unknown> },
): { close(): void } {
  const seen = new Set<RequestId>()
  const serve = async () => {
    for (const { id, body } of await store.pendingRequests()) {
      if (seen.has(id)) continue
      seen.add(id)
      await engine.request(id, body as Request)
    }
  }
  // A store that cannot be read is reported by the engine, whose next append fails for the same reason.
  const wake = () => void serve().catch(() => {})
  const close = store.watch(wake)
  wake()
  return { close }
}

/** Turns a decision into the answer that is stored for the sender. */
export function answerFrom(decision: Decision<{ readonly kind: string }>): RequestAnswer {
  if (decision.kind === 'refused') return { kind: 'refused', problem: decision.problem }
  const counts: Record<string, number> = {}
  for (const event of decision.events) counts[event.kind] = (counts[event.kind] ?? 0) + 1
  return { kind: 'accepted', counts }
}

function nextChange(store: Store): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.watch(() => {
      stop()
      resolve()
    })
  })
}

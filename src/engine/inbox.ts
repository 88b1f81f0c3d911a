import type { RequestId } from '../core/model/ids.ts'
import type { Request } from '../core/model/input.ts'
import type { Store } from '../ports/store.ts'
import type { RequestAnswer } from './ledger-loop.ts'

/** Who decides on requests. */
interface Decider {
  request(id: RequestId, request: Request): Promise<unknown>
}

/** Brings requests of other processes to the engine, until it is closed. */
export function openInbox(store: Store, engine: Decider): { close(): void } {
  const taken = new Set<RequestId>()
  const look = async () => {
    for (const { id, body } of await store.asked()) {
      if (taken.has(id)) continue
      taken.add(id)
      await engine.request(id, body as Request)
    }
  }
  // A look that fails because the store is in trouble is the engine's to tell: its next append meets the same.
  const wake = () => void look().catch(() => {})
  const close = store.watch(wake)
  wake()
  return { close }
}

/** Leaves a request for the engine and waits for its answer; null: the engine has gone without one. */
export async function ask(
  store: Store,
  order: { readonly id: RequestId; readonly request: Request; readonly at: number },
  isEngineThere: () => Promise<boolean>,
): Promise<RequestAnswer | null> {
  await store.ask(order.id, order.request, order.at)
  for (;;) {
    const woken = nextChange(store)
    const wasThere = await isEngineThere()
    const answer = await store.answer(order.id)
    if (answer !== null) return answer as RequestAnswer
    if (!wasThere) return null
    await woken
  }
}

function nextChange(store: Store): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.watch(() => {
      stop()
      resolve()
    })
  })
}

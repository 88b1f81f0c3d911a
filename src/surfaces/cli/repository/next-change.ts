import type { Store } from '../../../ports/store.ts'

/** Settles soon after another process has recorded something. */
export function nextChange(store: Store): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.watch(() => {
      stop()
      resolve()
    })
  })
}

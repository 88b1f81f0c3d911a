import { attemptEvents, type Checker } from './checker.ts'

/** An attempt that waits for a person starts no round before the answer. */
export const personsAwaited: Checker = (playthrough) => {
  const faults: string[] = []
  const asking = new Set<string>()
  for (const { ledger, event } of attemptEvents(playthrough)) {
    if (event.kind === 'attempt-waiting' && event.for.kind === 'person') asking.add(ledger)
    if (event.kind === 'message-received' && event.message.kind === 'answer') asking.delete(ledger)
    if (event.kind === 'round-started' && asking.has(ledger)) faults.push(`${ledger} started a round without an answer`)
  }
  return faults
}

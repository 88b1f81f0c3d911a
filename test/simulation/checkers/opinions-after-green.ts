import { attemptEvents, type Checker } from './checker.ts'

/** A judge sees only work whose checks passed, and what it sends back or asks a person about does not land by itself. */
export const opinionsAfterGreen: Checker = (played) => {
  const green = new Map<string, string>()
  const held = new Map<string, string>()
  const faults: string[] = []
  for (const { ledger, event } of attemptEvents(played)) {
    if (event.kind === 'verdict-given') green.set(ledger, event.passed ? event.commit : '')
    if (event.kind === 'message-received' && event.message.kind === 'answer') held.delete(ledger)
    if (event.kind === 'opinion-requested' && green.get(ledger) !== event.commit) {
      faults.push(`${ledger}: an opinion of ${event.commit}, which did not pass its checks`)
    }
    if (event.kind === 'opinion-given') {
      if (event.decision === 'proceed') held.delete(ledger)
      else held.set(ledger, event.commit)
    }
    if (event.kind === 'ready-to-land' && held.get(ledger) === event.commit) {
      faults.push(`${ledger}: ${event.commit} goes on against the judge, and nobody said yes`)
    }
  }
  return faults
}

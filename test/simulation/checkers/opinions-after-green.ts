import { attemptEvents, type Checker } from './checker.ts'

/** A judge sees only work whose checks passed; work that it rejects or refers to a person does not land by itself. */
export const opinionsAfterGreen: Checker = (playthrough) => {
  const green = new Map<string, string>()
  const held = new Map<string, string>()
  const faults: string[] = []
  for (const { ledger, event } of attemptEvents(playthrough)) {
    if (event.kind === 'verdict-given') green.set(ledger, event.passed ? event.commit : '')
    if (event.kind === 'message-received' && event.message.kind === 'answer') held.delete(ledger)
    if (event.kind === 'opinion-requested' && green.get(ledger) !== event.commit) {
      faults.push(`${ledger}: a judge was asked about ${event.commit}, which did not pass its checks`)
    }
    if (event.kind === 'opinion-given') {
      if (event.decision === 'proceed') held.delete(ledger)
      else held.set(ledger, event.commit)
    }
    if (event.kind === 'ready-to-land' && held.get(ledger) === event.commit) {
      faults.push(`${ledger}: ${event.commit} is ready to land against the judge, and no person approved it`)
    }
  }
  return faults
}

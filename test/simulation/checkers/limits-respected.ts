import type { RunEvent } from '../../../src/core/model/run-event.ts'
import type { Checker } from './checker.ts'

/** During a usage limit no attempt of its credential starts or resumes, and the limit is not cleared early. */
export const limitsRespected: Checker = ({ world }) => {
  const faults: string[] = []
  const limits = new Map<string, number>()
  const credentials = new Map<string, string>()
  for (const { ledger, events, at } of world.trace.appends) {
    if (!ledger.startsWith('run/')) continue
    for (const event of events as readonly RunEvent[]) {
      if (event.kind === 'limit-hit') limits.set(event.credential, event.until)
      if (event.kind === 'limit-cleared') {
        const until = limits.get(event.credential) ?? at
        if (at < until) faults.push(`a limit was cleared ${until - at} ms early`)
        limits.delete(event.credential)
      }
      if (event.kind === 'attempt-started') credentials.set(event.attempt, event.credential)
      const starts = event.kind === 'attempt-started' || event.kind === 'attempt-resumed'
      if (starts && limits.has(credentials.get(event.attempt) ?? ''))
        faults.push(`${event.attempt} started or resumed during a usage limit`)
    }
  }
  return faults
}

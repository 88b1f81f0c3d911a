import type { Checker } from './checker.ts'

/** While a usage limit is on, nothing starts or goes on; it is cleared neither early nor never. */
export const limitsRespected: Checker = ({ world }) => {
  const faults: string[] = []
  let until: number | null = null
  for (const { ledger, events, at } of world.trace.appends) {
    if (!ledger.startsWith('run/')) continue
    for (const event of events as readonly { kind: string; until?: number; attempt?: string }[]) {
      if (event.kind === 'limit-hit') until = event.until ?? null
      if (event.kind === 'limit-cleared') {
        if (until !== null && at < until) faults.push(`a limit was cleared ${until - at} ms early`)
        until = null
      }
      const starts = event.kind === 'attempt-started' || event.kind === 'attempt-resumed'
      if (starts && until !== null) faults.push(`${event.attempt} went on in spite of a usage limit`)
    }
  }
  return faults
}

import { attemptEvents, type Checker, runEvents } from './checker.ts'

/** Every usage report that an engine received is recorded once, and totals agree between the ledgers. */
export const usageCountedOnce: Checker = (playthrough) => {
  const faults: string[] = []
  const counted = new Map<string, number>()
  const spent = new Map<string, number>()
  for (const { ledger, event } of attemptEvents(playthrough)) {
    if (event.kind === 'usage-observed') {
      const key = `${event.usage.session} ${event.usage.message}`
      counted.set(key, (counted.get(key) ?? 0) + 1)
      spent.set(ledger, (spent.get(ledger) ?? 0) + (event.usd ?? 0))
    }
  }
  for (const [key, times] of counted) if (times > 1) faults.push(`usage ${key} was counted ${times} times`)
  for (const { usage, isExcused } of playthrough.world.trace.usageReceived) {
    const key = `${usage.session} ${usage.message}`
    if (!isExcused && !counted.has(key)) faults.push(`usage ${key} was received but not recorded`)
  }
  for (const event of runEvents(playthrough)) {
    if (event.kind !== 'attempt-ended') continue
    const own = spent.get(`attempt/${event.attempt}`) ?? 0
    if (Math.abs(own - event.totals.usd) > 1e-9)
      faults.push(`${event.attempt} spent ${own}, but the run recorded ${event.totals.usd}`)
  }
  return faults
}

import { attemptEvents, type Checker, runEvents } from './checker.ts'

/** No attempt exceeds its allowance by more than one turn, and allowances stay within the run's budget. */
export const spendBounded: Checker = (playthrough) => {
  const { usdPerTurn, settings } = playthrough.world.scenario
  const faults: string[] = []
  const granted = new Map<string, number>()
  const reserved = new Map<string, number>()
  const { runUsd } = settings.budget
  let ended = 0
  let isRaised = false
  for (const event of runEvents(playthrough)) {
    if (event.kind === 'settings-adopted' && event.digest !== 'first') isRaised = true
    if (event.kind === 'attempt-started' && event.allowance !== null) {
      granted.set(`attempt/${event.attempt}`, event.allowance.usd)
      reserved.set(event.attempt, event.allowance.usd)
    }
    if (event.kind === 'attempt-ended') {
      ended += event.totals.usd
      reserved.delete(event.attempt)
    }
    const held = [...reserved.values()].reduce((sum, usd) => sum + usd, 0)
    const overshoot = usdPerTurn * (granted.size + 1)
    if (runUsd !== null && !isRaised && ended + held > runUsd + overshoot)
      faults.push(`${ended + held} USD of ${runUsd} are spent or reserved`)
  }
  const spent = new Map<string, number>()
  for (const { ledger, event } of attemptEvents(playthrough)) {
    if (event.kind === 'usage-observed') spent.set(ledger, (spent.get(ledger) ?? 0) + (event.usd ?? 0))
  }
  for (const [ledger, limit] of granted) {
    const used = spent.get(ledger) ?? 0
    if (used > limit + usdPerTurn + 1e-9) faults.push(`${ledger} spent ${used.toFixed(2)} of ${limit.toFixed(2)} USD`)
  }
  return faults
}

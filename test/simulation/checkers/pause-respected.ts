import { attemptEvents, type Checker, runEvents } from './checker.ts'

/** While a run is paused, nothing starts; an attempt that has heard of it begins no round. */
export const pauseRespected: Checker = (played) => {
  const faults: string[] = []
  let isPaused = false
  for (const event of runEvents(played)) {
    if (event.kind === 'run-paused') isPaused = true
    if (event.kind === 'run-resumed' || event.kind === 'run-ended') isPaused = false
    const isStart = event.kind === 'attempt-started' || event.kind === 'attempt-resumed'
    if (isPaused && isStart) faults.push(`${event.attempt} started while the run was paused`)
  }
  const pausing = new Set<string>()
  for (const { ledger, event } of attemptEvents(played)) {
    if (event.kind === 'message-received' && event.message.kind === 'pause') pausing.add(ledger)
    if (event.kind === 'message-received' && event.message.kind === 'resume') pausing.delete(ledger)
    if (event.kind === 'round-started' && pausing.has(ledger)) faults.push(`${ledger} began a round in a pause`)
  }
  return faults
}

import { attemptEvents, type Checker, runEvents } from './checker.ts'

/** While a run is paused, no attempt starts, and an attempt that got the message starts no round. */
export const pauseRespected: Checker = (playthrough) => {
  const faults: string[] = []
  let isPaused = false
  for (const event of runEvents(playthrough)) {
    if (event.kind === 'run-paused') isPaused = true
    if (event.kind === 'run-resumed' || event.kind === 'run-ended') isPaused = false
    const isStart = event.kind === 'attempt-started' || event.kind === 'attempt-resumed'
    if (isPaused && isStart) faults.push(`${event.attempt} started while the run was paused`)
  }
  const pausing = new Set<string>()
  for (const { ledger, event } of attemptEvents(playthrough)) {
    if (event.kind === 'message-received' && event.message.kind === 'pause') pausing.add(ledger)
    if (event.kind === 'message-received' && event.message.kind === 'resume') pausing.delete(ledger)
    if (event.kind === 'round-started' && pausing.has(ledger)) faults.push(`${ledger} started a round during a pause`)
  }
  return faults
}

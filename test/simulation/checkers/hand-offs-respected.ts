import { attemptEvents, type Checker } from './checker.ts'

/** A session gets no prompt after its hand-off; the next session gets the brief and every note. */
export const handOffsRespected: Checker = (playthrough) => {
  const { trace, storage } = playthrough.world
  const faults: string[] = []
  const notes = new Map<string, string>()
  for (const { event } of attemptEvents(playthrough)) {
    if (event.kind === 'session-handed-off') notes.set(event.session, event.note ?? '')
    if (event.kind === 'round-started' && notes.has(event.session))
      faults.push(`session ${event.session} got a round after its hand-off`)
  }
  for (const { order } of trace.rounds) {
    const missing = order.texts.filter(
      (digest) => !order.opening.includes(storage.facts.blobs.get(digest) ?? `no ${digest}`),
    )
    if (missing.length > 0) faults.push(`an opening of ${order.attempt} lacks ${missing.join(', ')}`)
    if (!order.opening.includes(order.task.brief)) faults.push(`an opening of ${order.attempt} lacks the brief`)
    if (order.prompt.includes(order.task.brief)) faults.push(`${order.attempt} got its brief again`)
  }
  return faults
}

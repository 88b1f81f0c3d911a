import { attemptEvents, type Checker } from './checker.ts'

/** A session that handed over is never spoken to again; the next one gets the brief and all that was left for it. */
export const handOffsFollow: Checker = (played) => {
  const { trace, memory } = played.world
  const faults: string[] = []
  const over = new Map<string, string>()
  for (const { event } of attemptEvents(played)) {
    if (event.kind === 'session-handed-off') over.set(event.session, event.note ?? '')
    if (event.kind === 'round-started' && over.has(event.session))
      faults.push(`session ${event.session} got a round after it had handed over`)
  }
  for (const { order } of trace.rounds) {
    const missing = order.texts.filter((digest) => !order.opening.includes(memory.blobs.get(digest) ?? `no ${digest}`))
    if (missing.length > 0) faults.push(`an opening of ${order.attempt} lacks ${missing.join(', ')}`)
    if (!order.opening.includes(order.task.brief)) faults.push(`an opening of ${order.attempt} lacks the brief`)
    if (order.prompt.includes(order.task.brief)) faults.push(`${order.attempt} was told its brief again`)
  }
  return faults
}

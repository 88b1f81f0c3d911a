import type { Playthrough } from '../world/play.ts'
import { attemptEvents, type Checker } from './checker.ts'

/** Steering reaches the agent of an attempt that keeps working, and no session twice unless the text says so. */
export const steeringDelivered: Checker = (playthrough) => [...sentTwice(playthrough), ...neverSent(playthrough)]

function sentTwice({ world }: Playthrough): readonly string[] {
  const times = new Map<string, number>()
  const openings = new Map<string, number>()
  for (const { session, text } of world.trace.textsSent) {
    // An opening creates a new conversation even under a known session id, so earlier texts are unknown to it.
    if (/^# /m.test(text)) openings.set(session, (openings.get(session) ?? 0) + 1)
    for (const [note] of text.matchAll(UNDOUBTED_NOTE)) {
      const delivery = `"${note}" in session ${session}, opened ${openings.get(session) ?? 0} times,`
      times.set(delivery, (times.get(delivery) ?? 0) + 1)
    }
  }
  return [...times].flatMap(([delivery, count]) => (count > 1 ? [`${delivery} was sent ${count} times`] : []))
}

const UNDOUBTED_NOTE = /note \d+;(?!\n\(You may)/g

function neverSent(playthrough: Playthrough): readonly string[] {
  const sent = new Map<string, Set<string>>()
  for (const { attempt, text } of playthrough.world.trace.textsSent) {
    const notes = notesOf(sent, `attempt/${attempt}`)
    for (const [note] of text.matchAll(/note \d+;/g)) notes.add(note)
  }
  const faults: string[] = []
  const pending = new Map<string, Set<string>>()
  const atStart = new Map<string, readonly string[]>()
  for (const { ledger, event } of attemptEvents(playthrough)) {
    if (event.kind === 'message-received' && event.message.kind === 'steer')
      notesOf(pending, ledger).add(event.message.text)
    if (event.kind === 'round-started') atStart.set(ledger, [...notesOf(pending, ledger)])
    if (event.kind !== 'round-ended' || event.end.kind !== 'ok') continue
    const missed = (atStart.get(ledger) ?? []).filter((note) => !notesOf(sent, ledger).has(note))
    for (const note of missed) faults.push(`${ledger} ended round ${event.round} normally and never got "${note}"`)
  }
  return faults
}

function notesOf(notes: Map<string, Set<string>>, name: string): Set<string> {
  const entries = notes.get(name) ?? new Set()
  notes.set(name, entries)
  return entries
}

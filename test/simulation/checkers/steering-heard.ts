import type { Played } from '../world/play.ts'
import { attemptEvents, type Checker } from './checker.ts'

/** What a person said reaches the agent of an attempt that works on after it, and no session twice unless it says so. */
export const steeringHeard: Checker = (played) => [...saidTwice(played), ...neverSaid(played)]

function saidTwice({ world }: Played): readonly string[] {
  const times = new Map<string, number>()
  const openings = new Map<string, number>()
  for (const { session, text } of world.trace.said) {
    // An opening is for a conversation that has to be created, whatever its id: nothing of it was heard before.
    if (/^# /m.test(text)) openings.set(session, (openings.get(session) ?? 0) + 1)
    for (const [note] of text.matchAll(UNDOUBTED_NOTE)) {
      const heard = `"${note}" in session ${session}, opened ${openings.get(session) ?? 0} times,`
      times.set(heard, (times.get(heard) ?? 0) + 1)
    }
  }
  return [...times].flatMap(([heard, count]) => (count > 1 ? [`${heard} was said ${count} times`] : []))
}

const UNDOUBTED_NOTE = /note \d+;(?!\n\(You may)/g

function neverSaid(played: Played): readonly string[] {
  const told = new Map<string, Set<string>>()
  for (const { attempt, text } of played.world.trace.said) {
    const notes = notesOf(told, `attempt/${attempt}`)
    for (const [note] of text.matchAll(/note \d+;/g)) notes.add(note)
  }
  const faults: string[] = []
  const known = new Map<string, Set<string>>()
  const atStart = new Map<string, readonly string[]>()
  for (const { ledger, event } of attemptEvents(played)) {
    if (event.kind === 'message-received' && event.message.kind === 'steer')
      notesOf(known, ledger).add(event.message.text)
    if (event.kind === 'round-started') atStart.set(ledger, [...notesOf(known, ledger)])
    if (event.kind !== 'round-ended' || event.end.kind !== 'ok') continue
    const missed = (atStart.get(ledger) ?? []).filter((note) => !notesOf(told, ledger).has(note))
    for (const note of missed) faults.push(`${ledger} ended round ${event.round} well and never heard "${note}"`)
  }
  return faults
}

function notesOf(notes: Map<string, Set<string>>, name: string): Set<string> {
  const found = notes.get(name) ?? new Set()
  notes.set(name, found)
  return found
}

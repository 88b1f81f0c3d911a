import { createInterface } from 'node:readline'
import { endAbandoned } from './end-tree.ts'
import type { GuardedPlace, GuardLine } from './guard.ts'

const GRACE_MS = 1_000

// Only the end of the pipe counts: Ctrl-C and a closed terminal are for the engine to answer.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const places = new Map<string, GuardedPlace>()
await untilPipeCloses()
await Promise.allSettled([...places.values()].map((place) => endAbandoned({ ...place, graceMs: GRACE_MS })))

async function untilPipeCloses(): Promise<void> {
  try {
    for await (const line of createInterface({ input: process.stdin })) take(line)
  } catch {
    // a broken pipe has closed
  }
}

function take(text: string): void {
  const [verb, place] = JSON.parse(text) as GuardLine
  const key = JSON.stringify([place.folder, place.pidFolder])
  if (verb === 'watch') places.set(key, place)
  else places.delete(key)
}

import type { Sample } from '../model/sample.ts'
import { ninetieth, SAMPLES_MIN } from './history.ts'

/** How long a round may take, and why so long. */
export interface TimeLimit {
  readonly ms: number
  readonly why: string
}

const LEARNED_FACTOR = 3
const LEARNED_MS_MIN = 15 * 60_000

/** How long a round may take: what the settings say, or less where tasks of its kind take much less. */
export function roundTime(responseMs: number, samples: readonly Sample[]): TimeLimit {
  const learned = Math.max(LEARNED_MS_MIN, LEARNED_FACTOR * ninetieth(samples.map(({ ms }) => ms)))
  if (samples.length < SAMPLES_MIN || learned >= responseMs) return { ms: responseMs, why: 'time.response' }
  const why = `${LEARNED_FACTOR} times what ${samples.length} landed tasks of its kind took (90th percentile), 15 min at least`
  return { ms: learned, why }
}

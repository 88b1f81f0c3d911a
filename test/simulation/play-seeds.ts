import { checkSeed } from './check-seed.ts'

const PLACES = [
  'crash before append',
  'crash after append',
  'crash before workspaces.checkpoint',
  'crash after landing.advance',
]

/** Plays the worlds of some seeds: which of them broke a promise, what landed, and what was meant to strike and did not. */
export async function playSeeds(first: number, last: number) {
  const broken: string[] = []
  const struck: Record<string, number> = {}
  let landed = 0
  for (let seed = first; seed <= last; seed += 1) {
    const { faults, played } = await checkSeed(seed)
    for (const [fault, times] of Object.entries(played.world.trace.faults)) struck[fault] = (struck[fault] ?? 0) + times
    landed += played.world.trace.advances.length
    if (faults.length > 0) broken.push(`seed ${seed}: ${faults.slice(0, 3).join('; ')}`)
  }
  return { broken, landed, unstruck: PLACES.filter((place) => struck[place] === undefined) }
}

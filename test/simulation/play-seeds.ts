import { checkSeed } from './check-seed.ts'

const REQUIRED_FAULTS = [
  'crash before append',
  'crash after append',
  'crash before workspaces.checkpoint',
  'crash after landing.advance',
  'vanish state',
  'read-only disk',
  'torn append',
]

/** Plays a range of seeds; returns the broken ones, how much landed, and required faults that never occurred. */
export async function playSeeds(first: number, last: number) {
  const broken: string[] = []
  const occurred: Record<string, number> = {}
  let landed = 0
  for (let seed = first; seed <= last; seed += 1) {
    const { faults, playthrough } = await checkSeed(seed)
    for (const [fault, times] of Object.entries(playthrough.world.trace.faults))
      occurred[fault] = (occurred[fault] ?? 0) + times
    landed += playthrough.world.trace.advances.length
    if (faults.length > 0) broken.push(`seed ${seed}: ${faults.slice(0, 3).join('; ')}`)
  }
  return { broken, landed, missingFaults: REQUIRED_FAULTS.filter((fault) => occurred[fault] === undefined) }
}

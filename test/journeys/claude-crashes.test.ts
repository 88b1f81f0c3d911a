import { expect, onTestFinished, test } from 'vitest'
import { SOON } from '../patience.ts'
import { Random } from '../simulation/world/random.ts'
import { type ClaudeWork, claudeFaults, openClaudeJourney } from './claude-crash.ts'
import { type Strike, type Victim, workOff } from './crash-kit.ts'
import { leftovers } from './leftovers.ts'

const VICTIMS: readonly Victim[] = ['agent', 'engine', 'both']
const FACTS_BETWEEN_MAX = 30
const DELAY_MS_MAX = 300
const TASKS = 4

// Fixed, so that what fails once fails again; "npm run crash-matrix claude" kills after every kind of fact.
test.each([{ seed: 20_261_115 }])(
  'the real Claude Code and its engine, each and both killed at random moments: seed $seed',
  async ({ seed }) => {
    const random = new Random(seed)
    const work: ClaudeWork = {
      tasks: Array.from({ length: TASKS }, (_, index) => ({ id: `t${index}`, title: 'Work', weight: 'trivial' })),
      rules: () => [],
    }
    const journey = await openClaudeJourney(work)
    onTestFinished(() => journey.end())
    const strikes = inAnyOrder(random, VICTIMS).map((victim) => randomStrike(random, victim))
    const worked = await workOff(journey, strikes)
    console.log(`seed ${seed}: ${worked.struck.length} of ${VICTIMS.length} strikes hit, ${worked.lives} lives`)
    expect(worked.struck).toHaveLength(VICTIMS.length)
    expect(await claudeFaults(journey, work, worked)).toEqual([])
    await expect.poll(() => leftovers(journey, 'main', worked.guards), SOON).toEqual([])
  },
)

function inAnyOrder(random: Random, victims: readonly Victim[]): readonly Victim[] {
  const left = [...victims]
  return victims.flatMap(() => left.splice(random.below(left.length), 1))
}

function randomStrike(random: Random, victim: Victim): Strike {
  let facts = 1 + random.below(FACTS_BETWEEN_MAX)
  return { victim, isDue: () => --facts === 0, delayMs: random.below(DELAY_MS_MAX) }
}

import { expect, onTestFinished, test } from 'vitest'
import { SOON } from '../patience.ts'
import { Random } from '../simulation/world/random.ts'
import { type ClaudeWork, claudeFaults, openClaudeJourney } from './claude-crash.ts'
import { leftovers } from './leftovers.ts'
import { type PlannedKill, runWithKills, type Victim } from './run-with-kills.ts'

const VICTIMS: readonly Victim[] = ['agent', 'engine', 'both']
const FACTS_BETWEEN_MAX = 30
const DELAY_MS_MAX = 300
const TASKS = 4

// Fixed seed, so that a failure repeats; "npm run crash-matrix claude" kills after every kind of event.
test.each([{ seed: 20_261_115 }])(
  'the real Claude Code survives kills of agent, engine and both at random moments: seed $seed',
  async ({ seed }) => {
    const random = new Random(seed)
    const work: ClaudeWork = {
      tasks: Array.from({ length: TASKS }, (_, index) => ({ id: `t${index}`, title: 'Work', weight: 'trivial' })),
      rules: () => [],
    }
    const journey = await openClaudeJourney(work)
    onTestFinished(() => journey.end())
    const plannedKills = shuffled(random, VICTIMS).map((victim) => randomKill(random, victim))
    const result = await runWithKills(journey, plannedKills)
    console.log(
      `seed ${seed}: ${result.kills.length} of ${VICTIMS.length} kills carried out, ${result.engines} engines`,
    )
    expect(result.kills).toHaveLength(VICTIMS.length)
    expect(await claudeFaults(journey, work, result)).toEqual([])
    await expect.poll(() => leftovers(journey, 'main', result.guards), SOON).toEqual([])
  },
)

function shuffled(random: Random, victims: readonly Victim[]): readonly Victim[] {
  const left = [...victims]
  return victims.flatMap(() => left.splice(random.below(left.length), 1))
}

function randomKill(random: Random, victim: Victim): PlannedKill {
  let facts = 1 + random.below(FACTS_BETWEEN_MAX)
  return { victim, isDue: () => --facts === 0, delayMs: random.below(DELAY_MS_MAX) }
}

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SOON } from '../patience.ts'
import { Random } from '../simulation/world/random.ts'
import { journalScript, landedTasks, type PlannedTask, randomBacklog, workLost } from './backlogs.ts'
import { type Journey, NO_BWRAP, SETTINGS } from './journey.ts'
import { leftovers } from './leftovers.ts'
import { newJourney } from './new-journey.ts'
import { type PlannedKill, runWithKills } from './run-with-kills.ts'

const TASKS = 30
const KILLS = 8
const FACTS_BETWEEN_MAX = 120

// Fixed seeds, so that a failure repeats; seeds that found a bug are added here.
test.each([
  { seed: 20_251_115, by: 'bwrap' },
  { seed: 7, by: 'guard' },
])(
  'a graph of 30 tasks, 3 in parallel, lands completely in spite of kills at random moments: seed $seed, under $by',
  async ({ seed, by }) => {
    console.log(`seed ${seed}, under ${by}`)
    const random = new Random(seed)
    const journey = newJourney({ 'longhaul.yaml': SETTINGS }, by === 'guard' ? { programs: NO_BWRAP } : {})
    const journal = join(journey.folder, 'journal')
    journey.write('script.yaml', journalScript(journal))
    const tasks = randomBacklog(random, TASKS)
    journey.write('tasks.json', JSON.stringify({ tasks }))
    journey.commit('script and tasks')
    expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)

    const { engines, kills, guards, ran } = await runWithKills(journey, randomKills(random, by))
    console.log(`${kills.length} of ${KILLS} kills carried out, ${engines} engines`)
    expect(kills.length).toBeGreaterThanOrEqual(KILLS / 2)
    expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 })
    expectAllLanded(journey, tasks)
    expect(workLost(journey, journal)).toEqual([])
    const status = await journey.status()
    expect(status).toMatchObject({ run: { state: 'ended', targetBehind: false } })
    expect(
      status.tasks.filter(({ state, proof }) => state !== 'done' || proof !== 'gates: tests (canary: none)'),
    ).toEqual([])
    await expect.poll(() => leftovers(journey, 'main', guards), SOON).toEqual([])
    expect(journey.git('status', '--porcelain')).toBe('')
    expect(journey.git('fsck', '--connectivity-only', '--no-dangling')).toBe('')
  },
)

function randomKills(random: Random, by: string): PlannedKill[] {
  const guard = by === 'guard' ? (['guard', 'engine and guard'] as const) : []
  const victims = ['engine', 'engine', 'agent', 'both', 'tool child', ...guard] as const
  return Array.from({ length: KILLS }, () => {
    let facts = random.below(FACTS_BETWEEN_MAX)
    const isDue = facts === 0 ? null : () => --facts === 0
    return { victim: random.pick(victims), isDue, delayMs: random.below(40) }
  })
}

/** Asserts that every task landed exactly once, after its dependencies. */
function expectAllLanded(journey: Journey, tasks: readonly PlannedTask[]): void {
  const landed = landedTasks(journey)
  expect(landed.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted())
  const tooEarly = tasks.flatMap(({ id, after }) =>
    after.filter((before) => landed.indexOf(before) > landed.indexOf(id)).map((before) => `${id} before ${before}`),
  )
  expect(tooEarly).toEqual([])
}

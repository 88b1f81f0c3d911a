import type { Cell, Outcome } from './crash-cell.ts'
import { SCENARIOS, type Scenario } from './crash-scenarios.ts'
import { type Journey, NO_BWRAP, waitUntil } from './journey.ts'
import { leftovers } from './leftovers.ts'
import type { Fact, PlannedKill, Victim } from './run-with-kills.ts'
import { playStorageCell, storageCells } from './storage-scenario.ts'

/** Lists every kind of event with every victim, and every trouble with storage. */
export function allCells(): readonly Cell[] {
  const kills = Object.entries(SCENARIOS).flatMap(([scenario, { kinds, victims }]) =>
    kinds.flatMap((row) => victims.map((column) => ({ scenario, row, column }))),
  )
  return [...kills, ...storageCells()]
}

/** Plays one crash to its end. */
export async function playCell(cell: Cell): Promise<Outcome> {
  try {
    return await (cell.scenario === 'storage' ? playStorageCell(cell) : playKill(cell))
  } catch (fault) {
    return { hasHappened: false, faults: [String(fault)] }
  }
}

async function playKill({ scenario: name, row, column }: Cell): Promise<Outcome> {
  const scenario = SCENARIOS[name]
  const victim = scenario?.victims.find((one) => one === column)
  if (scenario === undefined || victim === undefined) throw new Error(`there is no scenario ${name} with ${column}`)
  const journey = await scenario.open(victim === 'engine and guard' ? NO_BWRAP : {})
  try {
    const kill: PlannedKill = { victim, isDue: (fact) => isKind(fact, row), delayMs: 0 }
    const { hasHappened, faults } = await runScenario(scenario, journey, kill)
    const isMissed = !hasHappened && mustHappen(victim, row)
    return { hasHappened, faults: isMissed ? [...faults, 'the engine was not killed'] : faults }
  } finally {
    journey.end()
  }
}

/** True when there must be a process to kill: an engine lives until it ends by itself. */
function mustHappen(victim: Victim, row: string): boolean {
  return victim.startsWith('engine') && !row.endsWith('run-ended')
}

async function runScenario(scenario: Scenario, journey: Journey, kill: PlannedKill): Promise<Outcome> {
  const result = await scenario.play(journey, [kill])
  const faults = await scenario.faults(journey, result)
  const left = await remaining(journey, scenario.keeps, result.guards)
  return { hasHappened: result.kills.length > 0, faults: [...faults, ...left] }
}

/** Waits for leftovers to disappear, because bwrap and the guard end processes a moment later; returns the rest. */
async function remaining(
  journey: Journey,
  keeps: readonly string[],
  guards: readonly number[],
): Promise<readonly string[]> {
  const left = () =>
    leftovers(journey, 'main', guards).filter((line) => !keeps.some((attempt) => line.includes(attempt)))
  await waitUntil('nothing left', () => left().length === 0).catch(() => {})
  return left().map((line) => `left: ${line}`)
}

function isKind({ ledger, kind }: Fact, name: string): boolean {
  return `${ledger.split('/')[0]} ${kind}` === name
}

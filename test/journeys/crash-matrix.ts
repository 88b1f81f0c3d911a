import { SCENARIOS, type Scenario } from './crash-scenarios.ts'
import { type Journey, NO_BWRAP, waitUntil } from './journey.ts'
import { leftovers } from './leftovers.ts'
import type { Fact, PlannedKill, Victim } from './run-with-kills.ts'

/** A crash: the event before it, and the victim. */
export interface Cell {
  readonly scenario: string
  /** "ledger kind" */
  readonly after: string
  readonly victim: Victim
}

/** Lists every kind of event with every victim. */
export function allCells(): readonly Cell[] {
  return Object.entries(SCENARIOS).flatMap(([scenario, { kinds, victims }]) =>
    kinds.flatMap((after) => victims.map((victim) => ({ scenario, after, victim }))),
  )
}

/** Outcome of a crash. */
export interface Outcome {
  /** False when there was no such process, as with agents after late events. */
  readonly wasKilled: boolean
  /** Faults afterwards, one line each. */
  readonly faults: readonly string[]
}

/** Plays one crash to its end. */
export async function playCell({ scenario: name, after, victim }: Cell): Promise<Outcome> {
  const scenario = SCENARIOS[name]
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  let journey: Journey | null = null
  try {
    journey = await scenario.open(victim === 'engine and guard' ? NO_BWRAP : {})
    return await runScenario(scenario, journey, { victim, isDue: (fact) => isKind(fact, after), delayMs: 0 })
  } catch (fault) {
    return { wasKilled: false, faults: [String(fault)] }
  } finally {
    journey?.end()
  }
}

async function runScenario(scenario: Scenario, journey: Journey, kill: PlannedKill): Promise<Outcome> {
  const result = await scenario.play(journey, [kill])
  const faults = await scenario.faults(journey, result)
  const left = await remaining(journey, scenario.keeps, result.guards)
  return { wasKilled: result.kills.length > 0, faults: [...faults, ...left] }
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

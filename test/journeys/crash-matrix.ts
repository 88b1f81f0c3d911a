import type { Fact, Strike, Victim } from './crash-kit.ts'
import { SCENARIOS, type Scenario } from './crash-scenarios.ts'
import { type Journey, NO_BWRAP, until } from './journey.ts'
import { leftovers } from './leftovers.ts'

/** One crash: after which fact, and of whom. */
export interface Cell {
  readonly scenario: string
  /** "ledger kind" */
  readonly after: string
  readonly victim: Victim
}

/** Every kind of fact with every victim. */
export function allCells(): readonly Cell[] {
  return Object.entries(SCENARIOS).flatMap(([scenario, { kinds, victims }]) =>
    kinds.flatMap((after) => victims.map((victim) => ({ scenario, after, victim }))),
  )
}

/** What came of a crash. */
export interface Outcome {
  /** Whether there was somebody to kill; after a late fact there may be no agent any more. */
  readonly isStruck: boolean
  /** What is wrong afterwards, a line each. */
  readonly faults: readonly string[]
}

/** Plays one crash to its end. */
export async function playCell({ scenario: name, after, victim }: Cell): Promise<Outcome> {
  const scenario = SCENARIOS[name]
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  let journey: Journey | null = null
  try {
    journey = await scenario.open(victim === 'engine and guard' ? NO_BWRAP : {})
    return await played(scenario, journey, { victim, isDue: (fact) => isKind(fact, after), delayMs: 0 })
  } catch (fault) {
    return { isStruck: false, faults: [String(fault)] }
  } finally {
    journey?.end()
  }
}

async function played(scenario: Scenario, journey: Journey, strike: Strike): Promise<Outcome> {
  const worked = await scenario.play(journey, [strike])
  const faults = await scenario.faults(journey, worked)
  const left = await leftAtLast(journey, scenario.keeps, worked.guards)
  return { isStruck: worked.struck.length > 0, faults: [...faults, ...left] }
}

/** What bwrap and the guard end, ends a moment after. */
async function leftAtLast(
  journey: Journey,
  keeps: readonly string[],
  guards: readonly number[],
): Promise<readonly string[]> {
  const left = () =>
    leftovers(journey, 'main', guards).filter((line) => !keeps.some((attempt) => line.includes(attempt)))
  await until('nothing left', () => left().length === 0).catch(() => {})
  return left().map((line) => `left: ${line}`)
}

function isKind({ ledger, kind }: Fact, wanted: string): boolean {
  return `${ledger.split('/')[0]} ${kind}` === wanted
}

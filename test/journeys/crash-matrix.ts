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

/** Who is killed after every kind of fact. */
export const VICTIMS: readonly Victim[] = ['engine', 'agent', 'both', 'tool child', 'engine and guard']

/** Every kind of fact with every victim. */
export function allCells(): readonly Cell[] {
  return Object.entries(SCENARIOS).flatMap(([scenario, { kinds }]) =>
    kinds.flatMap((after) => VICTIMS.map((victim) => ({ scenario, after, victim }))),
  )
}

/** Plays one crash to its end; answers with what is wrong afterwards, a line each. */
export async function playCell({ scenario: name, after, victim }: Cell): Promise<readonly string[]> {
  const scenario = SCENARIOS[name]
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  const journey = await scenario.open(victim === 'engine and guard' ? NO_BWRAP : {})
  try {
    return await played(scenario, journey, { victim, isDue: (fact) => isKind(fact, after), delayMs: 0 })
  } catch (fault) {
    return [String(fault)]
  } finally {
    journey.end()
  }
}

async function played(scenario: Scenario, journey: Journey, strike: Strike): Promise<readonly string[]> {
  const worked = await scenario.play(journey, [strike])
  const faults = await scenario.faults(journey, worked)
  const left = await leftAtLast(journey, scenario.keeps)
  const missed = worked.struck === 0 && mustStrike(strike.victim) ? ['the moment never came'] : []
  return [...missed, ...faults, ...left]
}

/** After a late fact there may be no agent to kill any more. */
function mustStrike(victim: Victim): boolean {
  return victim === 'engine' || victim === 'engine and guard'
}

/** What bwrap and the guard end, ends a moment after. */
async function leftAtLast(journey: Journey, keeps: readonly string[]): Promise<readonly string[]> {
  const left = () => leftovers(journey).filter((line) => !keeps.some((attempt) => line.includes(attempt)))
  await until('nothing left', () => left().length === 0, LEFT_MS_MAX).catch(() => {})
  return left().map((line) => `left: ${line}`)
}

const LEFT_MS_MAX = 10_000

function isKind({ ledger, kind }: Fact, wanted: string): boolean {
  return `${ledger.split('/')[0]} ${kind}` === wanted
}

import { callsKept } from './checkers/calls-kept.ts'
import type { Checker } from './checkers/checker.ts'
import { dependenciesFirst } from './checkers/dependencies-first.ts'
import { endsOrNames } from './checkers/ends-or-names.ts'
import { foldEqualsLive } from './checkers/fold-equals-live.ts'
import { handOffsFollow } from './checkers/hand-offs-follow.ts'
import { landsOnceVerified } from './checkers/lands-once-verified.ts'
import { limitsRespected } from './checkers/limits-respected.ts'
import { noStaleReports } from './checkers/no-stale-reports.ts'
import { oneLiveAttempt } from './checkers/one-live-attempt.ts'
import { oneWriter } from './checkers/one-writer.ts'
import { opinionsAfterGreen } from './checkers/opinions-after-green.ts'
import { pauseRespected } from './checkers/pause-respected.ts'
import { reviewsPassFirst } from './checkers/reviews-pass-first.ts'
import { slotsRespected } from './checkers/slots-respected.ts'
import { spendBounded } from './checkers/spend-bounded.ts'
import { steeringHeard } from './checkers/steering-heard.ts'
import { summedUpFirst } from './checkers/summed-up-first.ts'
import { usageCountedOnce } from './checkers/usage-counted-once.ts'
import { workspacesReleased } from './checkers/workspaces-released.ts'
import { type Breaks, type Played, play } from './world/play.ts'

export const CHECKERS: Readonly<Record<string, Checker>> = {
  slotsRespected,
  dependenciesFirst,
  summedUpFirst,
  opinionsAfterGreen,
  reviewsPassFirst,
  oneLiveAttempt,
  noStaleReports,
  usageCountedOnce,
  landsOnceVerified,
  workspacesReleased,
  spendBounded,
  endsOrNames,
  foldEqualsLive,
  oneWriter,
  limitsRespected,
  pauseRespected,
  steeringHeard,
  handOffsFollow,
  callsKept,
}

export interface SeedResult {
  readonly seed: number
  readonly played: Played
  /** What checkers found, each with the checker's name. */
  readonly faults: readonly string[]
}

/** Plays one seed and holds every checker against it. */
export async function checkSeed(seed: number, breaks: Breaks = {}): Promise<SeedResult> {
  const played = await play(seed, breaks)
  const faults: string[] = []
  for (const [name, check] of Object.entries(CHECKERS)) {
    for (const fault of await faultsOf(check, played)) faults.push(`${name}: ${fault}`)
  }
  return { seed, played, faults }
}

/** Ledgers that cannot even be folded are a fault, too. */
async function faultsOf(check: Checker, played: Played): Promise<readonly string[]> {
  try {
    return await check(played)
  } catch (error) {
    return [String(error)]
  }
}

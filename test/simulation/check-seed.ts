import type { Checker } from './checkers/checker.ts'
import { deadChecksRefused } from './checkers/dead-checks-refused.ts'
import { dependenciesFirst } from './checkers/dependencies-first.ts'
import { dependentsRevertedFirst } from './checkers/dependents-reverted-first.ts'
import { endsOrNamesWait } from './checkers/ends-or-names-wait.ts'
import { foldEqualsLive } from './checkers/fold-equals-live.ts'
import { guardedFilesApproved } from './checkers/guarded-files-approved.ts'
import { handOffsRespected } from './checkers/hand-offs-respected.ts'
import { landsOnceVerified } from './checkers/lands-once-verified.ts'
import { limitsRespected } from './checkers/limits-respected.ts'
import { noStaleReports } from './checkers/no-stale-reports.ts'
import { oneLiveAttempt } from './checkers/one-live-attempt.ts'
import { oneWriter } from './checkers/one-writer.ts'
import { opinionsAfterGreen } from './checkers/opinions-after-green.ts'
import { pauseRespected } from './checkers/pause-respected.ts'
import { personsAwaited } from './checkers/persons-awaited.ts'
import { reviewsPassFirst } from './checkers/reviews-pass-first.ts'
import { slotsRespected } from './checkers/slots-respected.ts'
import { spendBounded } from './checkers/spend-bounded.ts'
import { steeringDelivered } from './checkers/steering-delivered.ts'
import { summariesFirst } from './checkers/summaries-first.ts'
import { toolCallsRecorded } from './checkers/tool-calls-recorded.ts'
import { usageCountedOnce } from './checkers/usage-counted-once.ts'
import { workspacesReleased } from './checkers/workspaces-released.ts'
import { type Breaks, type Playthrough, play } from './world/play.ts'

export const CHECKERS: Readonly<Record<string, Checker>> = {
  slotsRespected,
  dependenciesFirst,
  dependentsRevertedFirst,
  summariesFirst,
  opinionsAfterGreen,
  reviewsPassFirst,
  oneLiveAttempt,
  noStaleReports,
  usageCountedOnce,
  landsOnceVerified,
  deadChecksRefused,
  guardedFilesApproved,
  workspacesReleased,
  spendBounded,
  endsOrNamesWait,
  foldEqualsLive,
  oneWriter,
  limitsRespected,
  pauseRespected,
  personsAwaited,
  steeringDelivered,
  handOffsRespected,
  toolCallsRecorded,
}

export interface SeedResult {
  readonly seed: number
  readonly playthrough: Playthrough
  /** Faults that checkers reported, each prefixed with the checker's name. */
  readonly faults: readonly string[]
}

/** Plays one seed and runs every checker on the result. */
export async function checkSeed(seed: number, breaks: Breaks = {}): Promise<SeedResult> {
  const playthrough = await play(seed, breaks)
  const faults: string[] = []
  for (const [name, check] of Object.entries(CHECKERS)) {
    for (const fault of await faultsOf(check, playthrough)) faults.push(`${name}: ${fault}`)
  }
  return { seed, playthrough, faults }
}

/** Runs a checker; an exception, such as a ledger that cannot be folded, is a fault too. */
async function faultsOf(check: Checker, playthrough: Playthrough): Promise<readonly string[]> {
  try {
    return await check(playthrough)
  } catch (error) {
    return [String(error)]
  }
}

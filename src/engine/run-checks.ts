import type { BaseRun, CheckRun } from '../core/checks/check-run.ts'
import { lostTests } from '../core/checks/lost-tests.ts'
import { weakened } from '../core/checks/weakened.ts'
import { listed, wantsSecondRun, weighCheck } from '../core/checks/weigh-check.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { type Finding, finding, type Receipt, type Verdict } from '../core/model/verdict.ts'
import { checkOutputFile } from '../core/prompts/workspace-files.ts'
import { excerpt } from '../core/reading/excerpt.ts'
import type { CheckEnvironment, Gate, GateOrder } from '../ports/gate.ts'
import type { SetupFailed } from '../ports/workspaces.ts'
import { blobOf } from './blob.ts'
import type { ComparedWork } from './compare-work.ts'
import type { KnownReceipts } from './known-receipts.ts'

export interface CheckPlace extends CheckEnvironment {
  readonly folder: string
  readonly commit: Commit
  readonly tree: Tree
}

/** What checks are run and weighed with; null: with nothing that is known from before. */
export interface CheckMeans {
  readonly gate: Gate
  readonly known: Pick<KnownReceipts, 'passed' | 'before'> | null
  /** Found out while the first check runs; null: it is nobody's work. */
  readonly work: Promise<ComparedWork> | null
  /** Makes room where the agent can read an output; null: no agent will. */
  readonly makeRoom: ((path: string) => Promise<string | null>) | null
}

/** What checks say of a commit, with the texts that receipts name by digest. */
export interface CommitChecked {
  readonly verdict: Verdict
  readonly blobs: ReadonlyMap<string, string>
}

/** Runs checks one after another in one folder; all of them, so that an agent learns of every red one at once. */
export async function runChecks(
  means: CheckMeans,
  checks: readonly Check[],
  place: CheckPlace,
  signal: AbortSignal,
): Promise<CommitChecked> {
  const receipts: Receipt[] = []
  const findings: Finding[] = []
  const blobs = new Map<string, string>()
  let isCompared = false
  for (const check of checks) {
    if (signal.aborted) break
    const outputFile = (await means.makeRoom?.(checkOutputFile(check.name))) ?? null
    const { runs, base } = await runCheck(means, check, { ...place, outputFile }, blobs, signal)
    const weighed = weighCheck(check, runs, base)
    receipts.push(...weighed.receipts)
    if (check.onFail !== 'block') continue
    const lost = lostBy(runs, base, !weighed.passes, await means.work)
    isCompared ||= lost !== null
    findings.push(...weighed.findings.map((found) => withFile(found, check, outputFile)), ...(lost ?? []))
  }
  const work = await means.work
  findings.unshift(...(work?.findings ?? []))
  const deleted = work?.deletedTests ?? []
  if (!isCompared && deleted.length > 0) findings.push(weakened(`test files were deleted: ${listed(deleted)}`, null))
  return { verdict: { passed: findings.length === 0, receipts, findings }, blobs }
}

/** Runs a check, unless it is known to pass; once more where that tells whether its failures are the work's. */
async function runCheck(
  { gate, known, work }: CheckMeans,
  check: Check,
  place: CheckPlace & Pick<GateOrder, 'outputFile'>,
  blobs: Map<string, string>,
  signal: AbortSignal,
): Promise<{ readonly runs: readonly CheckRun[]; readonly base: readonly BaseRun[] }> {
  const before = async () => (await known?.before(check, (await work)?.trees ?? [], place.setup)) ?? []
  const passed = await known?.passed(check, place)
  if (passed) return { runs: [passed], base: await before() }
  const run = async (): Promise<CheckRun> => {
    const result = await gate.check({ check, ...place }, signal)
    const names = blobOf(result.receipt.tests === null ? '' : JSON.stringify(result.names))
    for (const [digest, text] of names.blobs) blobs.set(digest, text)
    blobs.set(result.receipt.outputDigest, result.output)
    return { ...result, receipt: { ...result.receipt, testNames: names.digest } }
  }
  const first = await run()
  const base = await before()
  const isAgain = wantsSecondRun(check, first, base) && !signal.aborted
  return { runs: isAgain ? [first, await run()] : [first], base }
}

/** Where the whole of an output is that a finding shows a part of. */
function withFile(found: Finding, { name }: Check, outputFile: string | null): Finding {
  return outputFile === null || found.excerpt === '' ? found : { ...found, outputFile: checkOutputFile(name) }
}

/** The tests that the work has lost of those the check had before; null: there is nothing to compare them with. */
function lostBy(
  runs: readonly CheckRun[],
  base: readonly BaseRun[],
  isRed: boolean,
  work: ComparedWork | null,
): readonly Finding[] | null {
  const [head, before] = [runs.at(-1), base[0]]
  if (head === undefined || before === undefined || work === null) return null
  return lostTests(head, before, isRed, work.deletedTests)
}

/** A setup command that failed, as a finding. */
export function setupFinding({ command, exitCode, timedOut, output }: SetupFailed): Finding {
  const how = timedOut ? 'took too long' : `ended with exit code ${exitCode}`
  return finding('setup', `"${command}" ${how}`, { excerpt: excerpt(output), blames: 'environment' })
}

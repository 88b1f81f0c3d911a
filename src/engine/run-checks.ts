import type { BaseRun, CheckRun } from '../core/checks/check-run.ts'
import { classifyFailures, namesText, needsSecondRun } from '../core/checks/classify-failures.ts'
import { environmentFault } from '../core/checks/environment-fault.ts'
import { lostTests } from '../core/checks/lost-tests.ts'
import { weakenedFinding } from '../core/checks/weakened.ts'
import { TROUBLE_TRIES_MAX } from '../core/limits/limits.ts'
import type { Check, CheckoutSetting } from '../core/model/effect.ts'
import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { type Finding, finding, type Receipt, SETUP, type Verdict } from '../core/model/verdict.ts'
import { checkOutputFile } from '../core/prompts/workspace-files.ts'
import { causeIn } from '../core/reading/command-output.ts'
import { excerpt } from '../core/reading/text.ts'
import type { CheckEnvironment, Gate, GateOrder } from '../ports/gate.ts'
import type { SetupFailed, Workspaces } from '../ports/workspaces.ts'
import type { ComparedWork } from './compare-work.ts'
import { blobOf } from './effect-result.ts'
import type { EarlierReceipts } from './receipt-cache.ts'

export interface CheckOptions {
  readonly gate: Gate
  /** Earlier results, or null when every check has to run and nothing is excused. */
  readonly receiptCache: EarlierReceipts | null
  /** Comparison that is made while the first check runs, or null when the commit is not an attempt's work. */
  readonly work: Promise<ComparedWork> | null
  /** Runs a check once more on the base of the work, to see whose fault a failure is; null where there is no base. */
  readonly runOnBase: ((check: Check, signal: AbortSignal) => Promise<CheckRun | null>) | null
  /** Reserves a file for the whole output of a check, or null when no agent will read it. */
  readonly reserveOutputFile: ((path: string) => Promise<string | null>) | null
}

export interface CommitToCheck {
  /** Name of the checkout. */
  readonly name: string
  readonly commit: Commit
  readonly tree: Tree
  readonly checks: readonly Check[]
  readonly setting: CheckoutSetting
}

/** Verdict on a commit, with the texts that its receipts name by digest. */
export interface CheckedCommit {
  readonly verdict: Verdict
  readonly blobs: ReadonlyMap<string, string>
}

/** Folder that checks run in, and the commit that it holds. */
export interface CheckPlace extends CheckEnvironment {
  readonly folder: string
  readonly commit: Commit
  readonly tree: Tree
}

/** Checks one commit in a clean checkout; skips the checkout when the cache has all results. */
export async function checkCommit(
  workspaces: Workspaces,
  options: CheckOptions,
  { name, commit, tree, checks, setting }: CommitToCheck,
  signal: AbortSignal,
): Promise<CheckedCommit | Problem> {
  const place = { folder: '', place: 'checkout' as const, setup: setting.setup, commit, tree, env: {} }
  if (await areAllCached(options, checks, place)) return runChecks(options, checks, place, signal)
  const checkout = await workspaces.checkOut(name, commit, setting, signal)
  if (isProblem(checkout)) return checkout
  if (checkout.kind === 'setup-failed') {
    return { verdict: { passed: false, receipts: [], findings: [setupFinding(checkout)] }, blobs: new Map() }
  }
  try {
    return await runChecks(options, checks, { ...place, folder: checkout.folder }, signal)
  } finally {
    await checkout.discard()
  }
}

async function areAllCached(
  { receiptCache }: CheckOptions,
  checks: readonly Check[],
  place: CheckPlace,
): Promise<boolean> {
  if (checks.length === 0) return true
  if (receiptCache === null) return false
  const passed = await Promise.all(checks.map((check) => receiptCache.passed(check, place)))
  return passed.every((run) => run !== null)
}

/** Runs checks one after another; continues after a failure, so that an agent sees all failures together. */
export async function runChecks(
  options: CheckOptions,
  checks: readonly Check[],
  place: CheckPlace,
  signal: AbortSignal,
): Promise<CheckedCommit> {
  const receipts: Receipt[] = []
  const findings: Finding[] = []
  const blobs = new Map<string, string>()
  let isCompared = false
  for (const check of checks) {
    if (signal.aborted) break
    const outputFile = (await options.reserveOutputFile?.(checkOutputFile(check.name))) ?? null
    const { runs, base, fault } = await runCheck(options, check, { ...place, outputFile }, blobs, signal)
    const weighed = classifyFailures(check, runs, base, fault)
    receipts.push(...weighed.receipts)
    if (check.onFail !== 'block') continue
    const lost = lostTestFindings(runs, base, !weighed.passes, await options.work)
    isCompared ||= lost !== null
    findings.push(...weighed.findings.map((one) => withOutputFile(one, check, outputFile)), ...(lost ?? []))
  }
  const work = await options.work
  findings.unshift(...(work?.findings ?? []))
  const deleted = work?.deletedTests ?? []
  if (!isCompared && deleted.length > 0)
    findings.push(weakenedFinding(`test files were deleted: ${namesText(deleted)}`, null))
  return { verdict: { passed: findings.length === 0, receipts, findings }, blobs }
}

/** Runs a check unless a pass is cached; runs it twice where that shows whether its failures are flaky. */
async function runCheck(
  options: CheckOptions,
  check: Check,
  place: CheckPlace & Pick<GateOrder, 'outputFile'>,
  blobs: Map<string, string>,
  signal: AbortSignal,
): Promise<CheckRuns> {
  const { gate, receiptCache, work } = options
  const readBase = async () => (await receiptCache?.baseRuns(check, (await work)?.trees ?? [], place.setup)) ?? []
  const passed = await receiptCache?.passed(check, place)
  if (passed) return { runs: [passed], base: await readBase(), fault: null }
  const run = async (): Promise<CheckRun> => {
    const result = await gate.check({ check, ...place }, signal)
    const names = blobOf(result.receipt.tests === null ? '' : JSON.stringify(result.names))
    for (const [digest, text] of names.blobs) blobs.set(digest, text)
    blobs.set(result.receipt.outputDigest, result.output)
    return { ...result, receipt: { ...result.receipt, testNames: names.digest } }
  }
  let first = await run()
  let fault = await faultBehind(options, check, first, signal)
  for (let tries = 1; fault !== null && options.runOnBase !== null && tries < TROUBLE_TRIES_MAX; tries += 1) {
    first = await run()
    fault = await faultBehind(options, check, first, signal)
  }
  const base = await readBase()
  const runsAgain = fault === null && needsSecondRun(check, first, base) && !signal.aborted
  return { runs: runsAgain ? [first, await run()] : [first], base, fault }
}

interface CheckRuns {
  readonly runs: readonly CheckRun[]
  readonly base: readonly BaseRun[]
  /** Fault of the environment behind a red check, or null. */
  readonly fault: string | null
}

/** Returns the fault of the environment behind a red run: what looks like one, and happens on the base just now, too. */
async function faultBehind(
  { runOnBase }: CheckOptions,
  check: Check,
  { receipt, output }: CheckRun,
  signal: AbortSignal,
): Promise<string | null> {
  const fault = environmentFault(receipt, output)
  if (fault === null || runOnBase === null || signal.aborted) return fault
  const onBase = await runOnBase(check, signal)
  if (onBase === null || onBase.receipt.exitCode !== receipt.exitCode) return null
  return environmentFault(onBase.receipt, onBase.output) === fault ? fault : null
}

/** Adds the file with the whole output to a finding that shows an excerpt. */
function withOutputFile(one: Finding, { name }: Check, outputFile: string | null): Finding {
  return outputFile === null || one.excerpt === '' ? one : { ...one, outputFile: checkOutputFile(name) }
}

/** Returns tests that the base ran and the work no longer does, or null when there is no base to compare with. */
function lostTestFindings(
  runs: readonly CheckRun[],
  base: readonly BaseRun[],
  isRed: boolean,
  work: ComparedWork | null,
): readonly Finding[] | null {
  const [head, before] = [runs.at(-1), base[0]]
  if (head === undefined || before === undefined || work === null) return null
  return lostTests(head, before, isRed, work.deletedTests)
}

/** Turns a failed setup command into a finding. */
export function setupFinding({ command, exitCode, timedOut, output }: SetupFailed): Finding {
  const outcome = timedOut ? 'took too long' : `ended with exit code ${exitCode}`
  const cause = causeIn(output)
  return finding(SETUP, `"${command}" ${outcome}${cause === '' ? '' : `: ${cause}`}`, {
    excerpt: excerpt(output),
    blames: 'environment',
  })
}

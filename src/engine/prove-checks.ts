import { createHash } from 'node:crypto'
import type { Plant } from '../core/checks/canary/idiom.ts'
import { type CanaryResult, canaryResult, combinedResult } from '../core/checks/canary/outcome.ts'
import { canPlantFor, chooseNeighbour, plantsFor } from '../core/checks/canary/plant.ts'
import {
  baseTestsFinding,
  type ChangedTexts,
  filesToRead,
  filesToRestore,
  hadPasses,
} from '../core/checks/old-tests.ts'
import type { CheckDefinition, CheckRunner } from '../core/definitions/check-definition.ts'
import type { Check } from '../core/model/effect.ts'
import type { Commit } from '../core/model/ids.ts'
import { unwrap } from '../core/model/problem.ts'
import type { CanarySettings } from '../core/model/settings.ts'
import type { VariantFile } from '../core/model/variant.ts'
import { type CanaryState, type Finding, finding, type Receipt } from '../core/model/verdict.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { ComparedWork } from './compare-work.ts'
import { defineChecks } from './follow-checks.ts'
import type { EarlierReceipts } from './receipt-cache.ts'
import type { CheckedCommit, CommitToCheck } from './run-checks.ts'
import { runVariant } from './run-variant.ts'

/** Commit whose checks have run, with what is known about them. */
export interface CommitToProve extends CommitToCheck {
  /** Outcomes of canaries by definition. */
  readonly canaries: ReadonlyMap<string, CanaryState>
  /** Work of an attempt compared with its base, or null for other commits. */
  readonly work: ComparedWork | null
  readonly receiptCache: EarlierReceipts
}

/**
 * Proves green checks: each must notice a planted failure, and tests of the base that the work changed must still pass
 * on it. Red checks need no proof. Throws problems.
 */
export async function proveChecks(
  ports: EnginePorts,
  commit: CommitToProve,
  checked: CheckedCommit,
  signal: AbortSignal,
): Promise<CheckedCommit> {
  const { verdict } = checked
  if (signal.aborted || !verdict.findings.every(({ needsPerson }) => needsPerson)) return checked
  const gates = commit.checks.filter((check): check is GateCheck => check.onFail === 'block' && check.canary !== null)
  const [canaries, baseFindings] = await Promise.all([
    playCanaries(ports, commit, gates, checked, signal),
    checkBaseTests(ports, commit, gates, signal),
  ])
  const receipts = verdict.receipts.map((receipt) => ({ ...receipt, ...canaries.get(receipt.gate) }))
  const dead = receipts.filter(({ canary }) => canary === 'dead').map(({ gate }) => deadFinding(gate))
  const findings = [...verdict.findings, ...baseFindings, ...new Map(dead.map((one) => [one.message, one])).values()]
  return { ...checked, verdict: { passed: findings.length === 0, receipts, findings } }
}

type Canary = Pick<Receipt, 'definition' | 'canary'>
type GateCheck = Check & { readonly canary: CanarySettings }

/** Green check with what it is made of and what it printed. */
interface CheckToProve {
  readonly check: GateCheck
  readonly definition: CheckDefinition
  readonly receipt: Receipt
  readonly output: string
}

/** Plants a failure for each gate whose definition is new, one after another. */
async function playCanaries(
  ports: EnginePorts,
  commit: CommitToProve,
  gates: readonly GateCheck[],
  { verdict, blobs }: CheckedCommit,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Canary>> {
  const tried = gates.filter(({ canary }) => canary.when !== 'never')
  if (tried.length === 0) return new Map()
  const definitions = await definitionsOf(ports, commit, tried)
  const outcomes = new Map<string, Canary>()
  for (const check of tried) {
    const definition = definitions.get(check.name)
    const receipt = verdict.receipts.find(({ gate }) => gate === check.name)
    if (definition === undefined || receipt === undefined || signal.aborted) continue
    const key = createHash('sha256').update(`${check.run}\0${check.canary.plant}\0${definition.digest}`).digest('hex')
    const known = commit.canaries.get(key)
    const output = blobs.get(receipt.outputDigest) ?? ''
    const isEnough = known === 'none' || (check.canary.when === 'changed' && receipt.tests !== null)
    const canary =
      known !== undefined && isEnough
        ? known
        : await playCanary(ports, commit, { check, definition, receipt, output }, signal)
    outcomes.set(check.name, { definition: key, canary })
  }
  return outcomes
}

async function definitionsOf(
  ports: EnginePorts,
  { work, commit }: CommitToProve,
  checks: readonly Check[],
): Promise<ReadonlyMap<string, CheckDefinition>> {
  if (work === null) return defineChecks(ports, checks, commit)
  return new Map([...work.definitions].map(([name, { after }]) => [name, after]))
}

/** Plants failures until one shows that the check can fail; `none` when there is no way to plant one. */
async function playCanary(
  ports: EnginePorts,
  commit: CommitToProve,
  { check, definition, receipt, output }: CheckToProve,
  signal: AbortSignal,
): Promise<CanaryState> {
  const marker = newMarker(ports)
  const isGreen = receipt.exitCode === 0
  const run = (files: readonly VariantFile[], plant: string | null) =>
    runVariant(ports, { ...commit, name: `${commit.name}+canary`, check, files, plant }, signal)
  if (check.canary.plant !== null) {
    const planted = await run([], check.canary.plant)
    return stateOf(planted === null ? 'unclear' : canaryResult(planted, { marker }, isGreen))
  }
  const runners = definition.runners.filter(({ kind }) => canPlantFor(kind)).slice(0, RUNNERS_MAX)
  const results: CanaryResult[] = []
  for (const runner of runners) {
    const plants = await plantsIn(ports, commit.commit, runner, { output, marker })
    const tries: CanaryResult[] = []
    for (const plant of plants) {
      const planted = await run([plant], null)
      tries.push(planted === null ? 'unclear' : canaryResult(planted, plant, isGreen))
      if (tries.at(-1) !== 'dead') break
    }
    if (tries.length > 0) results.push(combinedResult(tries))
  }
  if (results.includes('dead')) return 'dead'
  return stateOf(results.includes('unnamed') ? 'unnamed' : combinedResult(results))
}

async function plantsIn(
  { landing }: EnginePorts,
  commit: Commit,
  runner: CheckRunner,
  { output, marker }: { readonly output: string; readonly marker: string },
): Promise<readonly Plant[]> {
  const paths = unwrap(await landing.filesOf(commit)).keys()
  const path = chooseNeighbour(runner, paths, output)
  if (path === null) return []
  const text = unwrap(await landing.readFiles(commit, [path])).get(path)
  return text === undefined ? [] : plantsFor(runner, { path, text }, marker)
}

/** Runs the gates with the tests and check files of the base, where the work changed them. */
async function checkBaseTests(
  ports: EnginePorts,
  commit: CommitToProve,
  gates: readonly Check[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { work, receiptCache, setting } = commit
  if (work === null) return []
  const restored = filesToRestore(
    work.files,
    work.definitions.values(),
    work.base,
    await textsOf(ports, work, commit.commit),
  )
  if (restored.length === 0) return []
  const findings: Finding[] = []
  for (const check of gates) {
    if (signal.aborted) break
    const base = await receiptCache.baseRuns(check, work.trees, setting.setup)
    if (!hadPasses(base)) continue
    const run = await runVariant(
      ports,
      { ...commit, name: `${commit.name}+base`, check, files: restored, plant: null },
      signal,
    )
    const failed = run === null ? null : baseTestsFinding(check, run, base, restored)
    if (failed !== null) findings.push(failed)
  }
  return findings
}

/** Reads the changed files that may be or contain tests, on the base and with the work. */
async function textsOf({ landing }: EnginePorts, { files, base }: ComparedWork, commit: Commit): Promise<ChangedTexts> {
  const paths = filesToRead(files)
  if (paths.length === 0) return { before: new Map(), after: new Map() }
  const [before, after] = await Promise.all([landing.readFiles(base, paths), landing.readFiles(commit, paths)])
  return { before: unwrap(before), after: unwrap(after) }
}

function deadFinding(gate: string): Finding {
  const message = `the check ${gate} cannot fail any more: it passed with a failure planted in it. Restore what it runs.`
  return finding('canary', message)
}

function stateOf(result: CanaryResult): CanaryState {
  return result === 'unclear' ? 'none' : result
}

/** Returns an unforeseeable word that every language takes as a name. */
function newMarker({ clock }: EnginePorts): string {
  return `k${clock.uuid().replaceAll(/[^a-f]/g, '')}${clock.uuid().replaceAll(/[^a-f]/g, '')}`
}

const RUNNERS_MAX = 3

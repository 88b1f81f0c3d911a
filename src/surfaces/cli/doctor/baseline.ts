import type { Commit } from '../../../core/model/ids.ts'
import { isProblem } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import type { Verdict } from '../../../core/model/verdict.ts'
import { checksOf } from '../../../core/phases/own-checks.ts'
import { lastLines } from '../../../core/reading/command-output.ts'
import { checkCommit } from '../../../engine/run-checks.ts'
import type { Repository, Tools } from '../../../ports/repository.ts'
import { bad, type Diagnosis, note, ok } from './diagnosis.ts'

/** Runs the checks on the current target, in a clean checkout. */
export async function examineBaseline(repository: Repository, tools: Tools, settings: Settings): Promise<Diagnosis> {
  const target = settings.target ?? tools.branch
  const checks = checksOf(settings.gates ?? [], [])
  if (target === null || checks.length === 0) return note('baseline', 'there is no branch, or no check to run on it')
  const commit = await repository.changes.commitAt(`refs/heads/${target}`)
  if (commit === null) return note('baseline', `there is no branch ${target} to check`)
  if (isProblem(commit)) return bad('baseline', commit)
  const tree = await repository.treeOf(commit)
  if (isProblem(tree)) return bad('baseline', tree)
  const setting = { setup: settings.workspace.setup, setupMs: settings.time.setupMs }
  const options = { gate: tools.gate, receiptCache: null, work: null, runOnBase: null, reserveOutputFile: null }
  const order = { name: 'doctor', commit, tree, checks, setting }
  const checked = await checkCommit(tools.workspaces, options, order, AbortSignal.timeout(BASELINE_MS_MAX))
  return isProblem(checked) ? bad('baseline', checked) : verdictFinding(target, commit, checked.verdict)
}

function verdictFinding(target: string, commit: Commit, verdict: Verdict): Diagnosis {
  const on = `${target} (${commit.slice(0, 10)})`
  if (verdict.passed) return ok('baseline', `the checks pass on ${on}`)
  const what = verdict.findings.map(({ source, message }) => `${source}: ${message}`).join('; ')
  const failed = bad('baseline', {
    message: `the checks fail on ${on}: ${what}`,
    hint: `Fix ${target} and commit; failures there make it harder to see what the work broke.`,
  })
  return { ...failed, output: verdict.findings.flatMap(({ excerpt }) => lastLines(excerpt)) }
}

const BASELINE_MS_MAX = 3_600_000

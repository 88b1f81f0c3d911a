import type { Commit, Tree } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import { checksOf } from '../../../core/phases/own-checks.ts'
import { checkCommit } from '../../../engine/check-commit.ts'
import type { Place, Tools, World } from '../world.ts'
import { bad, type Finding, note, ok } from './finding.ts'

/** Runs the checks on the target as it is, in a clean checkout. */
export async function examineBaseline(world: World, place: Place, tools: Tools, settings: Settings): Promise<Finding> {
  const target = settings.target ?? tools.branch
  const checks = checksOf(settings.gates ?? [], [])
  if (target === null || checks.length === 0) return note('baseline', 'there is no branch or no check to try')
  const found = await headOf(world, place, target)
  if (isProblem(found)) return bad('baseline', found)
  const setting = { setup: settings.workspace.setup, setupMs: settings.time.setupMs }
  const order = { name: 'doctor', ...found, checks, setting }
  const { verdict } = await checkCommit(tools, order, AbortSignal.timeout(BASELINE_MS_MAX))
  if (verdict.passed) return ok('baseline', `the checks pass on ${target} (${found.commit.slice(0, 10)})`)
  const what = verdict.findings.map(({ source, message }) => `${source}: ${message}`).join('; ')
  return bad('baseline', {
    message: `the checks are red on ${target} (${found.commit.slice(0, 10)}): ${what}`,
    hint: `Mend ${target} and commit; work on top of red checks cannot pass them.`,
  })
}

const BASELINE_MS_MAX = 3_600_000

async function headOf(
  world: World,
  { root }: Place,
  target: string,
): Promise<{ readonly commit: Commit; readonly tree: Tree } | Problem> {
  const { git } = await world.adapters()
  const args = ['rev-parse', `refs/heads/${target}^{commit}`, `refs/heads/${target}^{tree}`]
  const answer = await git(root, args, world.environment)
  if (isProblem(answer)) return answer
  const [commit = '', tree = ''] = answer.split('\n')
  return { commit: commit as Commit, tree: tree as Tree }
}

import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { isAncestor, relationOf, treeOf } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type Ref, type RefChange, readRefs } from '../../git/refs.ts'
import type { LandingHeld, LineOpen } from '../../ports/landing.ts'
import { refsMoving } from './advance-line.ts'
import { historyRewritten } from './landing-held.ts'

/** Opens the line of a target: creates it, or moves it up to a target that contains all of it. */
export async function openLine(git: Git, target: string): Promise<LineOpen | LandingHeld | Problem> {
  const names = { target: refs.head(target), line: refs.line(target), seen: refs.seen(target) }
  const current = await readRefs(git, [...Object.values(names), CANDIDATES])
  if (isProblem(current)) return current
  const tip = current.get(names.target)?.commit
  if (tip === undefined) return noTarget(target)
  const [line, seen] = [current.get(names.line), current.get(names.seen)]
  const commit = await commitForLine(git, target, tip, line?.commit ?? null, seen?.commit ?? null)
  if (typeof commit !== 'string') return commit
  const stale = [...current.values()].filter(({ name }) => name.startsWith(CANDIDATES))
  const changes: readonly RefChange[] = [
    ...(commit === line?.commit ? [] : [{ ref: names.line, to: commit, from: line?.commit ?? null }]),
    ...(commit !== tip || seen?.commit === tip ? [] : [{ ref: names.seen, to: tip }]),
    ...stale.map(({ name }: Ref) => ({ ref: name, to: null })),
  ]
  const changed = await changeRefs(git, changes)
  if (changed !== 'changed') return isProblem(changed) ? changed : refsMoving(target)
  const tree = await treeOf(git, commit)
  return isProblem(tree) ? tree : { kind: 'line-open', line: commit, tree, target: tip }
}

// Nothing is being landed while a line is opened, so existing candidates are leftovers of earlier runs.
const CANDIDATES = 'refs/longhaul/candidate/'

async function commitForLine(
  git: Git,
  target: string,
  tip: Commit,
  line: Commit | null,
  seen: Commit | null,
): Promise<Commit | LandingHeld | Problem> {
  if (line === null) return tip
  const relation = await relationOf(git, line, tip)
  if (isProblem(relation)) return relation
  if (relation === 'same' || relation === 'behind') return tip
  const hasSeen = seen === null || (await isAncestor(git, seen, tip))
  if (isProblem(hasSeen)) return hasSeen
  if (hasSeen) return line
  const losesLandings = await hasLandings(git, tip, line)
  if (isProblem(losesLandings)) return losesLandings
  return losesLandings ? historyRewritten(git, target, tip, seen) : tip
}

async function hasLandings(git: Git, tip: Commit, line: Commit): Promise<boolean | Problem> {
  const output = await git.run(['log', '-1', '--format=%H', '--grep=^Attempt: ', `${tip}..${line}`, '--'])
  return isProblem(output) ? output : output !== ''
}

function noTarget(target: string): Problem {
  return problem({
    code: 'target-missing',
    message: `The target branch "${target}" does not exist.`,
    hint: `Create it (git branch ${target}), or set "target" in longhaul.yaml to another branch.`,
    retry: 'person',
  })
}

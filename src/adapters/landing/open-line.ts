import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { isIn, relationOf, treeOf } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import { changeRefs, type Ref, type RefChange, readRefs } from '../../git/refs.ts'
import type { LandingHeld, LineOpen } from '../../ports/landing.ts'
import { moving } from './advance-line.ts'
import { rewritten } from './held.ts'

/** The line of a target: made where there is none, moved up to a target that has all of it, otherwise as it stands. */
export async function openLine(git: Git, target: string): Promise<LineOpen | LandingHeld | Problem> {
  const names = { target: refs.head(target), line: refs.line(target), seen: refs.seen(target) }
  const found = await readRefs(git, [...Object.values(names), CANDIDATES])
  if (isProblem(found)) return found
  const tip = found.get(names.target)?.commit
  if (tip === undefined) return noTarget(target)
  const [line, seen] = [found.get(names.line), found.get(names.seen)]
  const wanted = await whereTo(git, target, tip, line?.commit ?? null, seen?.commit ?? null)
  if (typeof wanted !== 'string') return wanted
  const stale = [...found.values()].filter(({ name }) => name.startsWith(CANDIDATES))
  const changes: readonly RefChange[] = [
    ...(wanted === line?.commit ? [] : [{ ref: names.line, to: wanted, from: line?.commit ?? null }]),
    ...(wanted !== tip || seen?.commit === tip ? [] : [{ ref: names.seen, to: tip }]),
    ...stale.map(({ name }: Ref) => ({ ref: name, to: null })),
  ]
  const changed = await changeRefs(git, changes)
  if (changed !== 'changed') return isProblem(changed) ? changed : moving(target)
  const tree = await treeOf(git, wanted)
  return isProblem(tree) ? tree : { kind: 'line-open', line: wanted, tree, target: tip }
}

// What earlier runs prepared and did not land: nothing is being landed while a line is opened.
const CANDIDATES = 'refs/longhaul/candidate/'

async function whereTo(
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
  const isWhole = seen === null || (await isIn(git, seen, tip))
  if (isProblem(isWhole)) return isWhole
  if (isWhole) return line
  const hasOurs = await hasLandings(git, tip, line)
  if (isProblem(hasOurs)) return hasOurs
  return hasOurs ? rewritten(target, seen) : tip
}

async function hasLandings(git: Git, tip: Commit, line: Commit): Promise<boolean | Problem> {
  const output = await git.run(['log', '-1', '--format=%H', '--grep=^Attempt: ', `${tip}..${line}`, '--'])
  return isProblem(output) ? output : output !== ''
}

function noTarget(target: string): Problem {
  return problem({
    code: 'target-missing',
    message: `There is no branch "${target}" to land on.`,
    hint: `Make it (git branch ${target}), or set "target" in longhaul.yaml to the branch you want.`,
    retry: 'person',
  })
}

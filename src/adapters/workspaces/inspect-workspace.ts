import { isProblem, type Problem } from '../../core/model/problem.ts'
import { brokenPart, type ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { runInside } from './run-inside.ts'

/** State of a workspace before git reads it. */
export interface Inspected {
  /** Part of the git folder that is missing or not of its kind, or null. */
  readonly broken: string | null
  /** True when the agent has changed its index. */
  readonly isStaged: boolean
}

/** Looks at a workspace, and removes named pipes that git would wait for. */
export async function inspectWorkspace(context: WorkspaceContext, clone: ClonePaths): Promise<Inspected | Problem> {
  const output = await runInside(context, clone, { script: INSPECT, args: [clone.index] })
  if (isProblem(output)) return output
  const lines = output.split('\n')
  const pipes = lines.filter((line) => line === 'pipe').length
  if (pipes > 0) context.note(`${pipes} named pipes that block git were removed from ${clone.tree}.`)
  const broken = brokenPart(clone) ?? (lines.includes('link') ? '.git/refs' : null)
  return { broken, isStaged: !lines.includes('unstaged') }
}

// A pipe holds nothing. Refs that are links would be written through. An index that cannot be compared counts as changed. An
// agent may have taken the right to write away, which root without capabilities respects.
const INSPECT = `
find . -type p '(' -name '.git*' -o -path '*/.git/*' ')' -exec rm -f -- {} ';' -exec echo pipe ';' 2>/dev/null
if [ -d .git ] && [ ! -L .git ]; then
  find .git -type d ! -perm -u=w -exec chmod u+w '{}' ';' 2>/dev/null
  find .git/refs .git/logs .git/packed-refs -type l -exec echo link ';' 2>/dev/null
  [ -f .git/index ] && [ ! -L .git/index ] && cmp -s .git/index "$1" && echo unstaged
fi
exit 0`

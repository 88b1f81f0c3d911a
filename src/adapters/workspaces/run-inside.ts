import type { Problem } from '../../core/model/problem.ts'
import { problem } from '../../core/model/problem.ts'
import { gitDiskProblem } from '../../git/git-problem.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** A short script of ours for sh, in the tree of a clone. */
export interface InsideScript {
  readonly script: string
  readonly args?: readonly string[]
  readonly input?: string
}

/** Runs a script of ours inside a clone and returns its output. */
export async function runInside(
  { inside, environment }: WorkspaceContext,
  clone: ClonePaths,
  { script, args = [], input = '' }: InsideScript,
): Promise<string | Problem> {
  const command = { file: 'sh', args: ['-c', script, 'sh', ...args], cwd: clone.tree, env: environment, input }
  const ended = await inside(clone)(command)
  if (ended.kind === 'ended' && ended.exitCode === 0) return ended.stdout.toString()
  const cause = ended.kind === 'ended' ? ended.stderr.trim() : ended.message
  const disk = await gitDiskProblem([clone.tree], cause)
  if (disk !== null) return disk
  const why = ended.kind === 'ended' && ended.timedOut ? 'its files block programs that read them' : cause
  return problem({
    code: 'workspace-unreadable',
    message: `The files of the workspace ${clone.tree} could not be read or written: ${why || 'no reason was given'}.`,
    hint: 'Look at the workspace, then retry the task.',
    retry: 'later',
  })
}

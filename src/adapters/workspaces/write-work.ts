import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { WORK_FILE } from '../../core/prompts/workspace-files.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { ownFile } from './own-file.ts'

/** Writes the diff since the base into a file, for reviewers that may only read files. */
export async function writeWork(
  { repository: { git } }: WorkspaceContext,
  clone: ClonePaths,
  { base, workflow }: AttemptSpec,
  commit: Commit,
): Promise<Problem | null> {
  if (commit === base || !workflow.phases.some(({ role }) => role === 'reviewer')) return null
  const file = await ownFile(clone, WORK_FILE)
  if (file === null) return null
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color']
  // The path is new; a link that an agent puts there meanwhile is an error.
  const written = await git.run(['diff', ...plain, base, commit, '--'], { outputFile: file, outputMax: Infinity })
  return isProblem(written) ? written : null
}

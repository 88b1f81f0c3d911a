import type { AttemptSpec } from '../../core/model/attempt.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { excerpt } from '../../core/reading/text.ts'
import type { WorkspaceContext } from './context.ts'

const COMMITS_MAX = 20
const FILES_MAX = 40
const CHARACTERS_MAX = 6_000

/** Describes the last commits and the files changed since the base, for a session that starts fresh. */
export async function describeHistory(
  { repository: { git } }: WorkspaceContext,
  { base }: AttemptSpec,
  commit: Commit,
): Promise<string | Problem> {
  const [commits, files] = await Promise.all([
    git.run(['log', `--max-count=${COMMITS_MAX}`, '--format=%h %s', commit, '--']),
    git.run(['diff', '--no-ext-diff', '--no-color', `--stat=100,70,${FILES_MAX}`, base, commit, '--']),
  ])
  if (isProblem(commits)) return commits
  if (isProblem(files)) return files
  const changed = files.trimEnd() === '' ? 'nothing' : `\n${files.trimEnd()}`
  return excerpt(
    `The last commits:\n${commits.trimEnd()}\n\nChanged since ${base.slice(0, 10)}: ${changed}`,
    CHARACTERS_MAX,
  )
}

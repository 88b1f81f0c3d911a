import type { AttemptId, Commit, TaskId } from '../core/model/ids.ts'
import type { LineLanding } from '../core/model/landed-work.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import { refs } from './names.ts'
import { readRefs } from './refs.ts'

/** Lists what has landed on every landing line of a repository, newest first. */
export async function lineLandings(git: Git): Promise<readonly LineLanding[] | Problem> {
  const lines = await readRefs(git, [LINES])
  if (isProblem(lines)) return lines
  const all: LineLanding[] = []
  for (const line of lines.keys()) {
    const output = await git.run(['log', '--first-parent', '--grep=^Task-Id: ', `--format=${LOGGED}`, line, '--'])
    if (isProblem(output)) return output
    all.push(...parsed(output))
  }
  return all
}

/** Lists the branches of attempts. */
export async function attemptBranches(git: Git): Promise<readonly string[] | Problem> {
  const branches = await readRefs(git, [refs.head('longhaul/')])
  return isProblem(branches) ? branches : [...branches.keys()].map((ref) => ref.slice(refs.head('').length))
}

const LINES = 'refs/longhaul/landed/'
const TRAILERS = ['Task-Id', 'Attempt', 'Reverts'].map((key) => `%(trailers:key=${key},valueonly,separator=%x2C)`)
const LOGGED = ['%H', ...TRAILERS, '%s'].join('%x1f').concat('%x00')

function parsed(output: string): readonly LineLanding[] {
  return output.split('\0').flatMap((entry) => {
    const [commit = '', task = '', attempt = '', reverts = '', subject = ''] = entry.trim().split('\u001f')
    if (commit === '') return []
    return [
      {
        commit: commit as Commit,
        task: (task || null) as TaskId | null,
        attempt: (attempt || null) as AttemptId | null,
        reverts: (reverts || null) as Commit | null,
        subject,
      },
    ]
  })
}

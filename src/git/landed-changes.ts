import type { Commit } from '../core/model/ids.ts'
import type { LandedChange } from '../core/model/landed-change.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import { refs } from './names.ts'
import { readRefs } from './refs.ts'

/**
 * Finds the landings behind the present text of a file: those that lines of it come from, and the last one when it is
 * newer than every commit of a person. Uncommitted lines, and landings that a person approved, do not count.
 */
export async function landedChanges(git: Git, file: string): Promise<readonly LandedChange[] | Problem> {
  const commits = await commitsBehind(git, file)
  if (isProblem(commits)) return commits
  const answers = await Promise.all(commits.map((commit) => landingOf(git, commit)))
  const problem = answers.find(isProblem)
  if (problem !== undefined) return problem
  const landings = answers.filter((landing): landing is Landing => landing !== null)
  const approved = await readRefs(git, [refs.approved('' as Commit)])
  if (isProblem(approved)) return approved
  const open = landings.filter(({ commit, approves }) => {
    return !approved.has(refs.approved(commit)) && !approves.includes(file)
  })
  return [...new Map(open.map(({ commit, task }) => [commit, { file, commit, task }])).values()]
}

/** Landing that brought a commit in. */
interface Landing {
  readonly commit: Commit
  readonly task: string
  /** Files whose change a person approved before it landed. */
  readonly approves: readonly string[]
}

/** Lists the commits that the file's lines come from, and the newest commit that touched it. */
async function commitsBehind(git: Git, file: string): Promise<readonly Commit[] | Problem> {
  const newest = await git.ask(['log', '-1', '--format=%H', 'HEAD', '--', `:(top,literal)${file}`])
  if ('kind' in newest) return newest
  // Without a commit of the file, all of it is a person's.
  if (newest.exitCode !== 0 || newest.stdout === '') return []
  const blamed = await git.ask(['blame', '--porcelain', '--no-textconv', '--', file])
  if ('kind' in blamed) return blamed
  const lines = blamed.exitCode === 0 ? [...blamed.stdout.matchAll(BLAMED)].map(([, commit]) => commit ?? '') : []
  return [...new Set([newest.stdout.trim(), ...lines])].filter((commit) => !/^0+$/.test(commit)) as Commit[]
}

/** Returns the landing that brought a commit into HEAD, or null when a person did. */
async function landingOf(git: Git, commit: Commit): Promise<Landing | null | Problem> {
  const log = (range: readonly string[]) => git.run(['log', `--format=${LOGGED}`, ...range, '--'])
  const [own, later] = await Promise.all([
    log(['-1', commit]),
    log(['--merges', '--ancestry-path', '--reverse', `${commit}..HEAD`]),
  ])
  if (isProblem(own)) return own
  if (isProblem(later)) return later
  const path = await git.run(['rev-list', '--ancestry-path', `${commit}..HEAD`, '--'])
  if (isProblem(path)) return path
  const after = new Set([commit as string, ...path.split('\n')])
  const [self] = logged(own)
  // A revert is a person's wish; a forged one still comes in by a landing.
  if (self !== undefined && self.task !== '' && !self.isRevert) return self
  // A merge of ours whose first parent lacks the commit has brought it in, whatever trailers an agent wrote inside.
  return logged(later).find(({ task, parents }) => task !== '' && !after.has(parents[0] ?? '')) ?? null
}

interface LoggedCommit extends Landing {
  readonly parents: readonly string[]
  readonly isRevert: boolean
}

function logged(text: string): readonly LoggedCommit[] {
  return text.split('\0').flatMap((entry) => {
    const [commit = '', parents = '', task = '', approves = '', reverts = ''] = entry.trim().split('\t')
    if (commit === '') return []
    const files = approves === '' ? [] : approves.split('\u001f')
    return [{ commit: commit as Commit, parents: parents.split(' '), task, approves: files, isRevert: reverts !== '' }]
  })
}

const BLAMED = /^([0-9a-f]{40,64}) \d+ \d+/gm
const LOGGED =
  '%H%x09%P%x09%(trailers:key=Task-Id,valueonly,separator=%x2C)%x09%(trailers:key=Approved,valueonly,separator=%x1F)%x09%(trailers:key=Reverts,valueonly,separator=%x2C)%x00'

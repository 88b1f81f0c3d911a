import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { type Git, splitNul } from '../../git/git.ts'

/** Returns the ids of the contents of a commit's files by path; those of links start with "link:". */
export async function filesOf(git: Git, commit: Commit): Promise<ReadonlyMap<string, string> | Problem> {
  const listed = await git.run(['ls-tree', '-r', '-z', '--full-tree', commit])
  if (isProblem(listed)) return listed
  return new Map(
    splitNul(listed).map((entry) => {
      const tab = entry.indexOf('\t')
      const [mode = '', , id = ''] = entry.slice(0, tab).split(' ')
      return [entry.slice(tab + 1), mode === LINK ? `link:${id}` : id]
    }),
  )
}

/** Reads those of some files that a commit has, except very long ones. */
export async function readFiles(
  git: Git,
  commit: Commit,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string> | Problem> {
  if (paths.length === 0) return new Map()
  const literal = paths.map((path) => `:(literal)${path}`)
  const listed = await git.run([
    'ls-tree',
    '-z',
    '--full-tree',
    '--format=%(objectsize) %(path)',
    commit,
    '--',
    ...literal,
  ])
  if (isProblem(listed)) return listed
  const present = splitNul(listed).flatMap((entry) => {
    const space = entry.indexOf(' ')
    const isShort = Number(entry.slice(0, space)) <= BYTES_MAX
    return isShort ? [entry.slice(space + 1)] : []
  })
  const read = await Promise.all(present.map((path) => git.run(['cat-file', 'blob', `${commit}:${path}`])))
  const problem = read.find(isProblem)
  return problem ?? new Map(present.map((path, at) => [path, read[at] as string]))
}

const LINK = '120000'
// Lock files of large projects have some megabytes.
const BYTES_MAX = 16_000_000

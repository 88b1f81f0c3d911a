import type { Comparison, FileDifference } from '../../core/checks/weakened.ts'
import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { diffText } from '../../git/diff.ts'
import { type Git, splitNul } from '../../git/git.ts'
import { commitOf, treeOf } from '../../git/history.ts'
import { refs } from '../../git/names.ts'
import type { Base } from '../../ports/landing.ts'

/** Returns the newest commit of a target's line that a commit descends from, or the line when they are unrelated. */
export async function baseOf(git: Git, target: string, commit: Commit): Promise<Base | Problem> {
  const answer = await git.ask(['merge-base', refs.line(target), commit])
  if ('kind' in answer) return answer
  const shared = answer.exitCode === 0 ? (answer.stdout.trim() as Commit) : await commitOf(git, refs.line(target))
  if (isProblem(shared)) return shared
  const base = shared ?? commit
  const tree = await treeOf(git, base)
  return isProblem(tree) ? tree : { kind: 'base', commit: base, tree }
}

/** Returns the patch from a commit's base on the line to the commit. */
export async function patchOf(git: Git, target: string, commit: Commit): Promise<string | Problem> {
  const base = await baseOf(git, target, commit)
  return isProblem(base) ? base : diffText(git, base.commit, commit, { form: 'patch', colors: 'off', width: null })
}

/** Compares two commits. */
export async function compare(git: Git, from: Commit, to: Commit): Promise<Comparison | Problem> {
  const [tree, files] = await Promise.all([treeOf(git, from), differences(git, from, to)])
  if (isProblem(tree)) return tree
  return isProblem(files) ? files : { kind: 'comparison', tree, files }
}

async function differences(git: Git, from: Commit, to: Commit): Promise<readonly FileDifference[] | Problem> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', '--no-abbrev', '--find-renames', '--no-ext-diff']
  const output = await git.run([...args, '--no-textconv', from, to, '--'])
  if (isProblem(output)) return output
  const parts = splitNul(output)
  const changes: RawDifference[] = []
  const losing = new Set<string>()
  for (let at = 0; at < parts.length; ) {
    const [entry = '', first = '', second = ''] = parts.slice(at, at + 3)
    if (entry.startsWith(':')) {
      const change = rawDifference(entry, first, second)
      changes.push(change)
      at += change.to === null ? 2 : 3
    } else {
      const [, lost, path = ''] = entry.split('\t')
      if (lost !== '0') losing.add(path === '' ? first : path)
      at += path === '' ? 3 : 1
    }
  }
  const links = await Promise.all(
    changes.map(({ link }) => (link === null ? null : git.run(['cat-file', 'blob', link]))),
  )
  const problem = links.find(isProblem)
  if (problem !== undefined) return problem
  return changes.map(({ link: _link, ...change }, index) => {
    return { ...change, losesLines: losing.has(change.path), linksTo: (links[index] ?? null) as string | null }
  })
}

/** Difference before its links are read; `link` is the blob of a link in the new commit. */
type RawDifference = Omit<FileDifference, 'losesLines' | 'linksTo'> & { readonly link: string | null }

function rawDifference(entry: string, path: string, next: string): RawDifference {
  const [, mode, , blob = '', status = ''] = entry.split(' ')
  const isRenamed = status.startsWith('R')
  return {
    path,
    kind: KINDS[status] ?? (isRenamed ? 'renamed' : 'changed'),
    to: isRenamed ? next : null,
    link: mode === '120000' ? blob : null,
  }
}

const KINDS: Readonly<Record<string, FileDifference['kind']>> = { A: 'added', D: 'deleted' }

import type { FileChange } from '../core/model/file-change.ts'
import type { Commit } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { type Git, splitNul } from './git.ts'

/** Format of a diff for people. */
export interface DiffFormat {
  readonly form: 'patch' | 'stat'
  readonly colors: 'on' | 'off'
  /** Columns of a stat, or null for git's default. */
  readonly width: number | null
}

/** Returns the diff between two commits as git prints it. */
export function diffText(git: Git, from: Commit, to: Commit, format: DiffFormat): Promise<string | Problem> {
  const stat = format.width === null ? '--stat' : `--stat=${format.width}`
  const form = format.form === 'patch' ? ['--patch', '--find-renames'] : [stat, '--find-renames']
  const color = `--color=${format.colors === 'on' ? 'always' : 'never'}`
  return git.run(['diff-tree', '-r', ...PLAIN, color, ...form, from, to, '--'], { settings: ['core.quotePath=false'] })
}

/** Lists the files that differ between two commits, with their line counts. */
export async function fileChanges(git: Git, from: Commit, to: Commit): Promise<readonly FileChange[] | Problem> {
  const output = await git.run(['diff-tree', '-r', '-z', ...PLAIN, '--numstat', '--no-renames', from, to, '--'])
  if (isProblem(output)) return output
  return splitNul(output).map((entry) => {
    const [added = '', removed = '', path = ''] = entry.split('\t')
    return { path, added: lines(added), removed: lines(removed) }
  })
}

// Keeps the user's diff programs and text filters from running.
const PLAIN = ['--no-ext-diff', '--no-textconv']

function lines(count: string): number | null {
  return count === '-' ? null : Number(count)
}

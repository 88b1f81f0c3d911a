import type { FileChange } from '../core/model/file-change.ts'
import type { Commit } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import { type Git, splitZero } from './git.ts'

/** How a difference is written for people. */
export interface DiffLook {
  readonly form: 'patch' | 'stat'
  readonly colors: 'on' | 'off'
  /** Columns for a stat; null: as git likes it. */
  readonly width: number | null
}

/** What differs from one commit to another, in git's own form. */
export function diffText(git: Git, from: Commit, to: Commit, look: DiffLook): Promise<string | Problem> {
  const stat = look.width === null ? '--stat' : `--stat=${look.width}`
  const form = look.form === 'patch' ? ['--patch', '--find-renames'] : [stat, '--find-renames']
  const color = `--color=${look.colors === 'on' ? 'always' : 'never'}`
  return git.run(['diff-tree', '-r', ...PLAIN, color, ...form, from, to, '--'], { settings: ['core.quotePath=false'] })
}

/** The files that differ from one commit to another. */
export async function fileChanges(git: Git, from: Commit, to: Commit): Promise<readonly FileChange[] | Problem> {
  const output = await git.run(['diff-tree', '-r', '-z', ...PLAIN, '--numstat', '--no-renames', from, to, '--'])
  if (isProblem(output)) return output
  return splitZero(output).map((entry) => {
    const [added = '', removed = '', path = ''] = entry.split('\t')
    return { path, added: lines(added), removed: lines(removed) }
  })
}

// Nothing of the user's runs while we look.
const PLAIN = ['--no-ext-diff', '--no-textconv']

function lines(count: string): number | null {
  return count === '-' ? null : Number(count)
}

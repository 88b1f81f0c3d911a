import type { Commit } from '../core/model/ids.ts'
import type { Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'
import { gitProblem } from './git-problem.ts'

/** Ref with its commit, and the checkout that has it, if any. */
export interface Ref {
  readonly name: string
  readonly commit: Commit
  readonly checkedOutIn: string | null
}

/** Change of a ref; `from` is its expected commit: null when the ref must not exist, absent when any value is fine. */
export type RefChange =
  | { readonly ref: string; readonly to: Commit; readonly from?: Commit | null }
  | { readonly ref: string; readonly to: null; readonly from?: Commit }

/** Reads refs by exact name, or by prefix where a name ends with a slash or a star. */
export async function readRefs(git: Git, names: readonly string[]): Promise<ReadonlyMap<string, Ref> | Problem> {
  const output = await git.run(['for-each-ref', `--format=${FORMAT}`, ...names])
  if (typeof output !== 'string') return output
  const isWanted = (name: string) => names.some((wanted) => matches(name, wanted))
  const refs = output.split('\n').flatMap((line) => {
    const [name = '', commit = '', checkout = ''] = line.split('\0')
    return isWanted(name) ? [{ name, commit: commit as Commit, checkedOutIn: checkout === '' ? null : checkout }] : []
  })
  return new Map(refs.map((ref) => [ref.name, ref]))
}

/** Changes refs in one transaction; 'outdated' when one of them is not at its expected commit. */
export async function changeRefs(git: Git, changes: readonly RefChange[]): Promise<'changed' | 'outdated' | Problem> {
  if (changes.length === 0) return 'changed'
  const args = ['update-ref', '--stdin', '-z']
  const answer = await git.ask(args, { input: changes.map(line).join(''), env: { GIT_REFLOG_ACTION: 'longhaul' } })
  if ('kind' in answer) return answer
  if (answer.exitCode === 0) return 'changed'
  return OUTDATED.test(answer.stderr) ? 'outdated' : gitProblem(args, git.place.folder, answer.stderr)
}

const FORMAT = '%(refname)%00%(objectname)%00%(worktreepath)'
const OUTDATED = /is at [0-9a-f]+ but expected|reference already exists|unable to resolve reference '[^']*'$/m

function matches(name: string, wanted: string): boolean {
  if (wanted.endsWith('*')) return name.startsWith(wanted.slice(0, -1))
  return wanted.endsWith('/') ? name.startsWith(wanted) : name === wanted
}

function line(change: RefChange): string {
  if (change.to === null) return `delete ${change.ref}\0${change.from ?? ''}\0`
  if (change.from === null) return `create ${change.ref}\0${change.to}\0`
  return `update ${change.ref}\0${change.to}\0${change.from ?? ''}\0`
}

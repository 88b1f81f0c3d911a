import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { changeRefs } from '../../git/refs.ts'

/** A ref that holds salvaged work, and when it was made. */
export interface SalvageRef {
  readonly ref: string
  readonly commit: Commit
  readonly savedAt: number
}

/** All work that was ever salvaged and is still kept. */
export async function salvageRefs(git: Git): Promise<readonly SalvageRef[] | Problem> {
  const format = '%(refname)%00%(objectname)%00%(creatordate:unix)'
  const output = await git.run(['for-each-ref', `--format=${format}`, 'refs/longhaul/salvage/'])
  if (isProblem(output)) return output
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [ref = '', commit = '', seconds = '0'] = line.split('\0')
      return { ref, commit: commit as Commit, savedAt: Number(seconds) * 1000 }
    })
}

/** Lets salvaged work go, unless its ref has been moved meanwhile. */
export async function forgetSalvage(git: Git, { ref, commit }: SalvageRef): Promise<Problem | null> {
  const changed = await changeRefs(git, [{ ref, to: null, from: commit }])
  return isProblem(changed) ? changed : null
}

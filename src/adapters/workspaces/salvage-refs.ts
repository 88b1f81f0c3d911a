import type { Commit } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { changeRefs } from '../../git/refs.ts'
import type { Salvage, SalvagedWork } from '../../ports/repository.ts'

/** Lists salvaged work that is still kept. */
export async function openSalvage(git: Git): Promise<Salvage | Problem> {
  const refs = await salvageRefs(git)
  return isProblem(refs) ? refs : { refs, forget: (work) => forgetSalvage(git, work) }
}

async function salvageRefs(git: Git): Promise<readonly SalvagedWork[] | Problem> {
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

/** Removes salvaged work, unless its ref has moved meanwhile. */
async function forgetSalvage(git: Git, { ref, commit }: SalvagedWork): Promise<Problem | null> {
  const changed = await changeRefs(git, [{ ref, to: null, from: commit }])
  return isProblem(changed) ? changed : null
}

import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../core/model/problem.ts'
import { PROGRESS_FOLDER } from '../core/prompts/progress.ts'
import { withFiles } from '../git/git-problem.ts'
import type { Place } from './places.ts'

/** Makes the folder where agents keep their notes; it ignores itself, in whichever repository it is looked at. */
export async function makeProgressFolder({ tree }: Place): Promise<Problem | null> {
  const folder = join(tree, PROGRESS_FOLDER)
  // What the project itself has under this name is the project's.
  if (existsSync(folder)) return null
  return withFiles(folder, async () => {
    await mkdir(folder)
    await writeFile(join(folder, '.gitignore'), '*\n')
  })
}

import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Git } from './git.ts'

/** Returns those of the folders that git would not ignore, and of which nothing is tracked; they need not exist. */
export async function unignoredFolders(git: Git, folders: readonly string[]): Promise<readonly string[] | Problem> {
  const unignored: string[] = []
  for (const folder of folders) {
    const [ignored, tracked] = await Promise.all([
      git.ask(['check-ignore', '--quiet', '--no-index', '--', `${folder}/`]),
      git.run(['ls-files', '--cached', '-z', '--', `:(top,literal)${folder}`]),
    ])
    if (isProblem(ignored)) return ignored
    if (isProblem(tracked)) return tracked
    if (ignored.exitCode === 1 && tracked === '') unignored.push(folder)
  }
  return unignored
}

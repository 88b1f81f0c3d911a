import { constants, existsSync } from 'node:fs'
import { copyFile, lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { splitNul } from '../../git/git.ts'
import { fileProblem } from '../../git/git-problem.ts'
import type { WorkspaceContext } from './context.ts'

/** Copies ignored files that `.worktreeinclude` lists from the user's checkout into a tree. */
export async function includeFiles({ repository, note }: WorkspaceContext, tree: string): Promise<Problem | null> {
  const { checkout, git } = repository
  if (!existsSync(join(checkout, LIST))) return null
  const here = git.at({ folder: checkout })
  const named = await here.run(['ls-files', '-z', '--others', '--ignored', `--exclude-from=${LIST}`])
  if (isProblem(named)) return named
  if (named === '') return null
  const ignored = await here.ask(['check-ignore', '-z', '--stdin'], { input: named })
  if ('kind' in ignored) return ignored
  for (const path of splitNul(ignored.stdout)) {
    const failed = await copy(checkout, tree, path, note)
    if (failed !== null) return failed
  }
  return null
}

const LIST = '.worktreeinclude'

async function copy(
  checkout: string,
  tree: string,
  path: string,
  note: WorkspaceContext['note'],
): Promise<Problem | null> {
  const [from, to] = [join(checkout, path), join(tree, path)]
  try {
    if (!(await staysInside(tree, to))) note(`${path} was not copied: its folder is a symbolic link in the workspace.`)
    else if ((await lstat(from)).isSymbolicLink()) await copyLink(checkout, from, to, () => note(leavesText(path)))
    else await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    return null
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // Removed since it was listed, part of the commit, a nested repository, or not a plain file.
    if (['ENOENT', 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENXIO'].includes(code ?? '')) return null
    return fileProblem(to, cause)
  }
}

async function staysInside(tree: string, to: string): Promise<boolean> {
  let folder = dirname(to)
  while (!existsSync(folder)) folder = dirname(folder)
  if (!isBelow(await realpath(tree), await realpath(folder))) return false
  await mkdir(dirname(to), { recursive: true })
  return true
}

async function copyLink(checkout: string, from: string, to: string, leaves: () => void): Promise<void> {
  const target = await readlink(from)
  const real = await realpath(from)
  if (isAbsolute(target) || !isBelow(await realpath(checkout), real)) return leaves()
  await symlink(target, to)
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

function leavesText(path: string): string {
  return `${path} was not copied: it is a symbolic link that leads out of the checkout.`
}

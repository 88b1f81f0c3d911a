import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Commit, Tree } from '../../core/model/ids.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Git } from '../../git/git.ts'
import { writeGitFolder } from '../../git/git-folder.ts'
import { withFiles } from '../../git/git-problem.ts'
import { contentSettings } from '../../git/settings.ts'
import { takeObjects } from '../../git/take-objects.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/** Makes our git folder of a clone, unless it exists. */
export async function ensureTake(context: WorkspaceContext, clone: ClonePaths): Promise<Problem | null> {
  const failed = await withFiles(clone.indexes, () => mkdir(clone.indexes, { recursive: true }))
  return failed ?? makeTakeFolder(context, clone.take, context.repository.gitDir)
}

/** Makes our git folder of a clone again, because its objects or indexes are damaged. */
export async function renewTake(context: WorkspaceContext, clone: ClonePaths): Promise<Problem | null> {
  for (const path of [clone.objects, clone.indexes, headOf(clone.take)]) rmSync(path, { recursive: true, force: true })
  return ensureTake(context, clone)
}

/** Makes a git folder of ours that borrows the objects of one of the user's, unless it exists. */
export function makeTakeFolder(
  { repository: { settings, objectFormat } }: WorkspaceContext,
  folder: string,
  sourceDir: string,
): Promise<Problem | null> {
  return withFiles(folder, () => {
    if ([headOf(folder), join(folder, 'objects/info/alternates')].every(existsSync)) return
    const content = contentSettings(settings)
    const usesLfs = content.some(({ key }) => key.startsWith('filter.lfs.'))
    // Large files are stored beside the user's objects, where every checkout finds them.
    const lfs = usesLfs ? [{ key: 'lfs.storage', value: join(sourceDir, 'lfs') }] : []
    writeGitFolder(folder, { sourceDir, objectFormat, settings: [...content, ...lfs] })
    writeFileSync(headOf(folder), 'ref: refs/heads/none\n')
  })
}

/** Objects that leave a workspace. */
export interface Taking {
  /** Git inside that has them. */
  readonly from: Git
  /** Git of the user's repository that gets them. */
  readonly to: Git
  readonly wanted: readonly (Commit | Tree)[]
  /** Commits that both have. */
  readonly known: readonly Commit[]
}

/** Takes objects out of a workspace. */
export function takeOut(clone: ClonePaths, taking: Taking): Promise<Problem | null> {
  return takeObjects({ ...taking, file: join(clone.own, `pack-${randomUUID()}`) })
}

function headOf(take: string): string {
  return join(take, 'HEAD')
}

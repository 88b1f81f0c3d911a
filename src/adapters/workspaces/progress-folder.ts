import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptSpec } from '../../core/model/attempt.ts'
import { attemptIdOf } from '../../core/model/ids.ts'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { PROGRESS_FILE, PROGRESS_FOLDER } from '../../core/prompts/workspace-files.ts'
import { readPlainFile } from '../../files/read-plain-file.ts'
import { withFiles } from '../../git/git-problem.ts'
import { refs } from '../../git/names.ts'
import { readRefs } from '../../git/refs.ts'
import { type ClonePaths, workspacePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'

/**
 * Makes the folder where agents keep their notes; its own .gitignore keeps it out of every commit. An attempt that goes on
 * from an earlier one's work gets that one's notes.
 */
export async function makeProgressFolder(
  context: WorkspaceContext,
  { tree }: ClonePaths,
  spec: AttemptSpec,
): Promise<Problem | null> {
  const folder = join(tree, PROGRESS_FOLDER)
  // A folder of this name that the project has is left alone.
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return null
  const notes = await notesBefore(context, spec)
  return withFiles(folder, () => {
    mkdirSync(folder)
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
    if (notes !== null) writeFileSync(join(tree, PROGRESS_FILE), notes, { flag: 'wx' })
  })
}

/** Reads the notes of the previous attempt, if this one starts from its work and its workspace still exists. */
async function notesBefore(
  { repository, home }: WorkspaceContext,
  { tasks, number, base }: AttemptSpec,
): Promise<string | null> {
  const [task] = tasks
  if (task === undefined || number < 2) return null
  const before = attemptIdOf(task.id, number - 1)
  // The branch may also have work that no checkpoint has.
  const existing = await readRefs(repository.git, [refs.branch(before), refs.attempt(before)])
  if (isProblem(existing) || ![...existing.values()].some(({ commit }) => commit === base)) return null
  const { tree } = workspacePaths(home, before)
  // A symbolic link instead of notes could lead anywhere.
  const folder = lstatSync(join(tree, PROGRESS_FOLDER), { throwIfNoEntry: false })
  return folder?.isDirectory() ? readPlainFile(join(tree, PROGRESS_FILE), NOTES_BYTES_MAX) : null
}

const NOTES_BYTES_MAX = 100_000

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Commit, Tree } from '../core/model/ids.ts'
import { isProblem, type Problem } from '../core/model/problem.ts'
import type { Variant, VariantFile } from '../core/model/variant.ts'
import { makeCommit } from './commit.ts'
import { type Git, splitNul } from './git.ts'
import type { GitRepository } from './repository.ts'

/** Makes a commit on no branch: the files of another commit, some of them changed. */
export async function makeVariant(
  { git, gitDir, identity, objectFormat }: GitRepository,
  commit: Commit,
  files: readonly VariantFile[],
): Promise<Variant | Problem> {
  const entries = await Promise.all(files.map((file) => indexEntry(git, file, objectFormat)))
  const failed = entries.find(isProblem)
  if (failed !== undefined) return failed
  const index = join(gitDir, `longhaul-variant-${randomUUID()}`)
  try {
    const tree = await writeTree(git, index, commit, entries.join(''))
    if (isProblem(tree)) return tree
    const variant = await makeCommit(git, identity, { tree, parents: [commit], message: 'Variant for a check\n' })
    return isProblem(variant) ? variant : { kind: 'variant', commit: variant, tree }
  } finally {
    for (const file of [index, `${index}.lock`]) rmSync(file, { force: true })
  }
}

async function writeTree(git: Git, index: string, commit: Commit, entries: string): Promise<Tree | Problem> {
  const filled = await git.run(['read-tree', commit], { index })
  if (isProblem(filled)) return filled
  const updated = await git.run(['update-index', '-z', '--replace', '--index-info'], { index, input: entries })
  if (isProblem(updated)) return updated
  const tree = await git.run(['write-tree'], { index })
  return isProblem(tree) ? tree : (tree.trim() as Tree)
}

/** Returns a line for `update-index --index-info`; mode 0 removes a path. */
async function indexEntry(git: Git, file: VariantFile, objectFormat: string): Promise<string | Problem> {
  if ('text' in file) {
    const blob = await git.run(['hash-object', '-w', '--no-filters', '--stdin'], { input: file.text })
    return isProblem(blob) ? blob : `100644 ${blob.trim()}\t${file.path}\0`
  }
  const listed = await git.run(['ls-tree', '-z', '--full-tree', file.from, '--', `:(literal)${file.path}`])
  if (isProblem(listed)) return listed
  const [entry] = splitNul(listed)
  const [mode, , blob] = entry?.split(/[ \t]/) ?? []
  if (mode !== undefined && blob !== undefined) return `${mode} ${blob}\t${file.path}\0`
  return `0 ${'0'.repeat(objectFormat === 'sha256' ? 64 : 40)}\t${file.path}\0`
}

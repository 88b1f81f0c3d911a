import { existsSync, readFileSync } from 'node:fs'
import { lstat, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isProblem, type Problem } from '../../core/model/problem.ts'
import { type Git, splitNul } from '../../git/git.ts'
import { withFiles } from '../../git/git-problem.ts'
import { CACHE_PATHSPECS, cachePatterns, pathPattern, withoutNested } from './cache-patterns.ts'
import { savingGit } from './clone-git.ts'
import type { ClonePaths } from './clone-paths.ts'
import type { WorkspaceContext } from './context.ts'
import { runInside } from './run-inside.ts'

/** Files that setup and the hook after_create made; an agent's change to one of them is work like any other. */
interface SetupRecord {
  /** Patterns of the caches that are left out. */
  readonly caches: readonly string[]
  /** Folders and single files, as git lists them. */
  readonly places: readonly string[]
  /** Size and time of change of each file. */
  readonly stamps: Readonly<Record<string, string>>
}

/** Leaves well-known caches, and everything setup made that git does not ignore, out of all work that is saved. */
export async function excludeSetupFiles(context: WorkspaceContext, clone: ClonePaths): Promise<Problem | null> {
  const git = savingGit(context, clone)
  const tracked = await git.run(['ls-files', '-z', '--cached', '--', ...CACHE_PATHSPECS], { index: clone.index })
  if (isProblem(tracked)) return tracked
  const caches = cachePatterns(splitNul(tracked))
  const [files, folded] = await Promise.all([
    untracked(git, clone, caches),
    untracked(git, clone, caches, ['--directory', '--no-empty-directory']),
  ])
  if (isProblem(files)) return files
  if (isProblem(folded)) return folded
  const places = withoutNested(files, folded)
  const patterns = [...caches, ...places.flatMap(pathPattern)]
  const users = await usersExcludes(context)
  if (isProblem(users)) return users
  const recorded = await withFiles(clone.excludes, async () => {
    const record: SetupRecord = { caches, places, stamps: await stampsOf(clone, files) }
    await writeFile(clone.setUp, JSON.stringify(record))
    await writeFile(clone.excludes, `${users}\n${patterns.join('\n')}\n`)
  })
  if (recorded !== null) return recorded
  // So that the agent's own git leaves them out, too.
  const appended = await runInside(context, clone, { script: APPEND_EXCLUDES, input: `\n${patterns.join('\n')}\n` })
  return isProblem(appended) ? appended : null
}

// A link or a pipe in its place is replaced.
const APPEND_EXCLUDES = `cd .git && mkdir -p info || exit 1
if [ -L info/exclude ] || [ ! -f info/exclude ]; then rm -rf info/exclude; fi
cat >> info/exclude`

/** Settings with which git leaves out what is excluded from a clone; none for a clone without a record. */
export function excludingSettings(clone: ClonePaths): readonly string[] {
  return existsSync(clone.excludes) ? [`core.excludesFile=${clone.excludes}`] : []
}

/** Lists excluded files that were added or changed since setup made them, so that no work gets lost. */
export async function changedSetupFiles(
  context: WorkspaceContext,
  clone: ClonePaths,
): Promise<readonly string[] | Problem> {
  const { caches, places, stamps } = await readRecord(clone)
  if (places.length === 0) return []
  const within = ['--', ...places.map((path) => `:(top,literal)${path}`)]
  const files = await untracked(savingGit(context, clone), clone, caches, [], within)
  if (isProblem(files)) return files
  const now = await stampsOf(clone, files)
  return Object.keys(now).filter((path) => now[path] !== stamps[path])
}

async function untracked(
  git: Git,
  { index }: ClonePaths,
  caches: readonly string[],
  options: readonly string[] = [],
  within: readonly string[] = [],
): Promise<readonly string[] | Problem> {
  const excluded = caches.map((pattern) => `--exclude=${pattern}`)
  const args = ['ls-files', '-z', '--others', '--exclude-standard', ...excluded, ...options, ...within]
  const output = await git.run(args, { index })
  return isProblem(output) ? output : splitNul(output)
}

async function stampsOf({ tree }: ClonePaths, files: readonly string[]): Promise<Record<string, string>> {
  const stamps = await Promise.all(files.map(async (path) => [path, await stampOf(join(tree, path))] as const))
  return Object.fromEntries(stamps.flatMap(([path, stamp]) => (stamp === null ? [] : [[path, stamp]])))
}

async function stampOf(file: string): Promise<string | null> {
  try {
    const stats = await lstat(file)
    // A nested repository is listed as a folder, and saved in its own way.
    return stats.isDirectory() ? null : `${stats.size} ${stats.mtimeMs}`
  } catch {
    return null // removed meanwhile
  }
}

const NOTHING_MADE: SetupRecord = { caches: [], places: [], stamps: {} }

async function readRecord({ setUp }: ClonePaths): Promise<SetupRecord> {
  try {
    return JSON.parse(await readFile(setUp, 'utf8'))
  } catch {
    return NOTHING_MADE // made by a version without records, or cut off by a power failure
  }
}

/** Reads the user's own exclusions for all repositories, which git would use if it did not get ours. */
async function usersExcludes({ repository, environment }: WorkspaceContext): Promise<string | Problem> {
  const { settings, checkout, git } = repository
  const isSet = settings.some(({ key }) => key === 'core.excludesfile')
  const named = isSet ? await git.run(['config', '--type=path', '--get', 'core.excludesFile']) : null
  if (isProblem(named)) return named
  const configHome = environment.XDG_CONFIG_HOME || join(environment.HOME ?? '', '.config')
  const file = named === null ? join(configHome, 'git', 'ignore') : resolve(checkout, named.replace(/\n$/, ''))
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // there is none
  }
}

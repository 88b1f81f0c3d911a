// Programs write these by themselves, and no project keeps its sources there.
const CACHES = [
  'node_modules/',
  '.venv/',
  '__pycache__/',
  '*.pyc',
  '*.egg-info/',
  '.pytest_cache/',
  '.mypy_cache/',
  '.ruff_cache/',
  '.tox/',
  '.nox/',
  '.gradle/',
  '.turbo/',
  '.nyc_output/',
]

/** Pathspecs for all files in well-known caches. */
export const CACHE_PATHSPECS = CACHES.map((pattern) => `:(glob)**/${pattern.replace(/\/$/, '/**')}`)

/** Returns the patterns of well-known caches, without those of which the repository tracks a file. */
export function cachePatterns(tracked: readonly string[]): readonly string[] {
  return CACHES.filter((pattern) => !tracked.some((path) => isIn(path, pattern)))
}

/** Returns the pattern for one path and all below it; none for a name that no pattern can express. */
export function pathPattern(path: string): readonly string[] {
  if (path.includes('\n')) return []
  return [`/${path.replaceAll(/[\\*?[]/g, '\\$&').replace(/ (?= *$)/g, '\\ ')}`]
}

/** Folds untracked files into folders, but for folders with a nested repository inside, which stay visible to git. */
export function withoutNested(files: readonly string[], folded: readonly string[]): readonly string[] {
  const nested = files.filter((path) => path.endsWith('/'))
  return folded.flatMap((path) => {
    if (!nested.some((repository) => repository.startsWith(path))) return [path]
    return files.filter((file) => file.startsWith(path) && !file.endsWith('/'))
  })
}

function isIn(path: string, pattern: string): boolean {
  const name = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')
  return new RegExp(`(^|/)${name}${pattern.endsWith('/') ? '' : '$'}`).test(path)
}

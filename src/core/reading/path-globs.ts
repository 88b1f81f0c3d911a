/** Compiles a glob over paths: `*` and `?` stay within a folder, `**` crosses folders, `{a,b}` and `[abc]` choose. */
function pathPattern(glob: string): RegExp {
  const parts = glob.replace(/^(?:\.?\/)+/, '').matchAll(/\*\*\/|\/\*\*$|\*\*|\*|\?|\[!?[^\]/]+\]|[{},]|[^*?[{},]+|\[/g)
  let depth = 0
  const source = [...parts].map(([part]) => {
    if (part === '{') depth += 1
    const text = translated(part, depth > 0)
    if (part === '}' && depth > 0) depth -= 1
    return text
  })
  return new RegExp(`^${source.join('')}${')'.repeat(depth)}$`)
}

/** True when a path matches one of the globs. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => pathPattern(glob).test(path))
}

function translated(part: string, isInBraces: boolean): string {
  switch (part) {
    case '**/':
      return '(?:.*/)?'
    case '/**':
      return '/.*'
    case '**':
      return '.*'
    case '*':
      return '[^/]*'
    case '?':
      return '[^/]'
    case '{':
      return '(?:'
    case '}':
      return isInBraces ? ')' : '\\}'
    case ',':
      return isInBraces ? '|' : ','
    default:
      return /^\[.+\]$/.test(part)
        ? part.replace('[!', '[^').replaceAll('\\', '\\\\')
        : part.replaceAll(SPECIAL, '\\$&')
  }
}

const SPECIAL = /[.+^${}()|[\]\\]/g

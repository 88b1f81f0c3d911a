import { isRecord, valueAt } from './excerpts.ts'
import { joined } from './paths.ts'
import type { Snapshot } from './snapshot.ts'

/** Package of a workspace. */
export interface Member {
  readonly folder: string
  readonly name: string
}

/** Returns the packages of the workspace whose root is a folder. */
export function membersOf(root: string, snapshot: Snapshot): readonly Member[] {
  const globs = [
    ...manifestGlobs(root, snapshot),
    ...pnpmGlobs(snapshot.text(joined(root, 'pnpm-workspace.yaml')) ?? ''),
  ]
  const included = globs.filter((glob) => !glob.startsWith('!')).map((glob) => matcher(joined(root, glob)))
  const excluded = globs.filter((glob) => glob.startsWith('!')).map((glob) => matcher(joined(root, glob.slice(1))))
  return snapshot.matching(root, MANIFEST).flatMap((file) => {
    const folder = file.slice(0, Math.max(0, file.length - '/package.json'.length))
    const isMember =
      folder !== root && included.some((glob) => glob.test(folder)) && !excluded.some((glob) => glob.test(folder))
    if (!isMember) return []
    const name = valueAt(snapshot.json(snapshot.text(file) ?? ''), ['name'])
    return [{ folder, name: typeof name === 'string' ? name : '' }]
  })
}

/** Returns the nearest folder above, or the folder itself, that is the root of a workspace. */
export function workspaceRoot(folders: readonly string[], snapshot: Snapshot): string | null {
  return (
    folders.find(
      (folder) => snapshot.has(joined(folder, 'pnpm-workspace.yaml')) || manifestGlobs(folder, snapshot).length > 0,
    ) ?? null
  )
}

function manifestGlobs(root: string, snapshot: Snapshot): readonly string[] {
  const value = valueAt(snapshot.json(snapshot.text(joined(root, 'package.json')) ?? ''), ['workspaces'])
  const list = isRecord(value) && !Array.isArray(value) ? value.packages : value
  return Array.isArray(list) ? list.filter((glob) => typeof glob === 'string') : []
}

function pnpmGlobs(text: string): readonly string[] {
  const list = /^packages:[ \t]*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(`${text}\n`)?.[1] ?? ''
  return [...list.matchAll(/^\s*-\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/gm)].map(([, glob = '']) => glob)
}

/** Returns an expression for a glob with *, ** and {a,b}; one with many wildcards, which is slow, matches nothing. */
export function matcher(glob: string): RegExp {
  const plain = glob.replace(/\/$/, '').replace(/(?:\*\*\/)+/g, '**/')
  if (plain.split(/\*+/).length > WILDCARDS_MAX) return NOTHING
  const source = plain
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?|\{([^}]*)\}|[{}]/g, (mark, choices) => {
      if (mark.startsWith('**')) return '.*'
      if (mark === '*') return '[^/]*'
      if (mark === '?') return '[^/]'
      return choices === undefined ? `\\${mark}` : `(?:${choices.replace(/[*?]/g, '[^/]*').split(',').join('|')})`
    })
  return new RegExp(`^${source}$`)
}

const WILDCARDS_MAX = 5
const NOTHING = /^(?!)/
const MANIFEST = /(?:^|\/)package\.json$/

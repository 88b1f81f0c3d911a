import { isRecord, valueAt } from './excerpts.ts'
import { foldersUp, joined } from './paths.ts'
import type { Extract, PlaceUse } from './place.ts'
import type { Trail } from './trail.ts'

/**
 * Guards the packages of a project, except those with guards of their own: tests use some of them, so none may come from
 * another place than before.
 */
export function guardReplacements(folder: string, use: PlaceUse, trail: Trail, guarded: readonly string[] = []): void {
  for (const at of foldersUp(folder)) {
    const manifest = joined(at, 'package.json')
    const text = trail.snapshot.text(manifest)
    if (text === null || !trail.visit(`packages of ${manifest}`)) continue
    for (const list of LISTS) {
      const names = namesIn(trail.snapshot.json(text), list).filter((name) => !guarded.includes(name))
      for (const name of names)
        trail.excerpt(manifest, `the place of ${list}.${name}`, replaced([list, name], guarded), use)
    }
    for (const list of OVERRIDES) trail.excerpt(manifest, `places in ${list.join('.')}`, replaced(list, guarded), use)
  }
}

function namesIn(manifest: unknown, list: string): readonly string[] {
  const packages = valueAt(manifest, [list])
  return isRecord(packages) ? Object.keys(packages).slice(0, PACKAGES_MAX) : []
}

/** Extracts the versions in an entry that lead elsewhere than to the registry, or null. */
function replaced(entry: readonly string[], guarded: readonly string[]): Extract {
  return (text, snapshot) => {
    const versions = versionsIn(valueAt(snapshot.json(text), entry), guarded).filter((version) =>
      ELSEWHERE.test(version),
    )
    return versions.length === 0 ? null : versions.join(' ')
  }
}

function versionsIn(value: unknown, except: readonly string[]): readonly string[] {
  if (typeof value === 'string') return [value]
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => (except.includes(name) ? [] : versionsIn(inner, except)))
}

const LISTS = ['dependencies', 'devDependencies'] as const
const OVERRIDES = [['overrides'], ['resolutions'], ['pnpm', 'overrides']] as const
const ELSEWHERE = /^(?:file|link|portal|patch|npm|github|git|git\+\w+|https?):|^[./~]/
const PACKAGES_MAX = 500

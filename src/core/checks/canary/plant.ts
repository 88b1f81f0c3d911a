import { matchesAny } from '../../reading/path-globs.ts'
import { goPlants } from './go.ts'
import type { Idiom, NearbyFile, Plant } from './idiom.ts'
import { jsPlants } from './javascript.ts'
import { pythonPlants } from './python.ts'
import { rustPlants } from './rust.ts'

/** Program behind a check, with the files that its command names. */
export interface PlantTarget {
  readonly kind: string
  /** Folder in the repository that it runs in; '' is the root. */
  readonly folder: string
  /** Files and globs in its command line; empty when it looks for files itself. */
  readonly files: readonly string[]
}

const IDIOMS: Readonly<Record<string, Idiom>> = { ...jsPlants, ...pythonPlants, ...goPlants, ...rustPlants }

/** True when there is a way to plant a failure for this kind of program. */
export function canPlantFor(kind: string): boolean {
  return kind in IDIOMS
}

/**
 * Chooses the file to plant beside: one that the command names, by its folder or a glob, too, or the output mentions, else
 * the first of the shallowest.
 */
export function chooseNeighbour(target: PlantTarget, paths: Iterable<string>, output: string): string | null {
  const idiom = IDIOMS[target.kind]
  if (idiom === undefined) return null
  const names = target.files.map((file) => below(target.folder, file))
  const named = new Set(names)
  const isSelected = (path: string) => names.some((name) => path.startsWith(`${name}/`)) || matchesAny(path, names)
  const inFolder = target.folder === '' ? '' : `${target.folder}/`
  const isFitting = (path: string) => path.startsWith(inFolder) && !GENERATED.test(path) && idiom.takes(path)
  const isNamedOnly = (path: string) => !isFitting(path) && idiom.takesNamed?.test(path) === true && isSelected(path)
  const fitting = [...paths].filter((path) => named.has(path) || isFitting(path) || isNamedOnly(path))
  const isMentioned = (path: string) => output.includes(path.slice(inFolder.length))
  const rank = (path: string) =>
    named.has(path) ? 0 : isNamedOnly(path) ? 2 : isSelected(path) ? 1 : isMentioned(path) ? 3 : 4
  return fitting.toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b) || (a < b ? -1 : 1))[0] ?? null
}

/** Returns the failures to try, best first: a new file unless the command names its files, then a changed neighbour. */
export function plantsFor(target: PlantTarget, neighbour: NearbyFile, marker: string): readonly Plant[] {
  const idiom = IDIOMS[target.kind]
  if (idiom === undefined) return []
  const isNamed = target.files.some((file) => below(target.folder, file) === neighbour.path)
  return [
    ...(isNamed || idiom.fresh === null ? [] : [idiom.fresh(neighbour, marker)]),
    ...(idiom.extended === null ? [] : [idiom.extended(neighbour, marker)]),
  ]
}

function below(folder: string, path: string): string {
  const plain = path.replace(/^\.\//, '').replace(/\/$/, '')
  return folder === '' ? plain : `${folder}/${plain}`
}

function depth(path: string): number {
  return path.split('/').length
}

const GENERATED = /(?:^|\/)(?:node_modules|vendor|dist|build|target|fixtures?|__fixtures__|testdata|\.\w[^/]*)\//

import { Document, isCollection, isNode } from 'yaml'
import type { Path } from '../core/reading/schema-faults.ts'
import { inFull } from './in-full.ts'
import { isMap, type Source, sourceText } from './layers.ts'
import type { LoadedSettings } from './load.ts'
import { settingsPlaces } from './place-names.ts'

/** One setting: its key from the root on, its value, and where that comes from. */
export interface SettingEntry {
  readonly path: Path
  readonly key: string
  readonly value: unknown
  readonly source: Source
}

/** Every setting there is, defaults included but for workflows; secrets that were written out are hidden. */
export function settingEntries({ written, sourceOf }: LoadedSettings): readonly SettingEntry[] {
  const entries = leaves(inFull(written), []).map(({ path, value }) => ({
    path,
    key: settingsPlaces.nameOf(path),
    value: isSecret(path, value) ? HIDDEN : value,
    source: sourceOf(path),
  }))
  return entries.filter(({ path: [section], source }) => section !== 'workflows' || source.kind !== 'default')
}

/** Settings as the lines of a settings file, each value with its source where that is wanted. */
export function settingsYaml(entries: readonly SettingEntry[], how: 'plain' | 'with sources'): readonly string[] {
  const document = new Document({})
  for (const { path, value, source } of entries) {
    const node = document.createNode(value)
    if (isCollection(node)) node.flow = true
    if (how === 'with sources' && isNode(node)) node.comment = ` ${sourceText(source)}`
    document.setIn(path, node)
  }
  return document.toString({ lineWidth: 0 }).trimEnd().split('\n')
}

interface Leaf {
  readonly path: Path
  readonly value: unknown
}

function leaves(value: unknown, path: Path): readonly Leaf[] {
  const inside = partsOf(value)
  if (inside.length === 0) return [{ path, value }]
  return inside.flatMap(([name, part]) => leaves(part, [...path, name]))
}

/** A list of words is one value; a list of maps has keys of its own. */
function partsOf(value: unknown): readonly (readonly [PropertyKey, unknown])[] {
  if (Array.isArray(value)) return value.some(isMap) ? [...value.entries()] : []
  return isMap(value) ? Object.entries(value) : []
}

const HIDDEN = '(hidden: better written as $NAME)'

function isSecret(path: Path, value: unknown): boolean {
  const isVariable = path.at(-2) === 'env' || path.at(-2) === 'headers'
  return isVariable && /key|token|secret|password|auth/i.test(String(path.at(-1))) && !/^\$\w+$/.test(String(value))
}

import { Document, isCollection, isNode } from 'yaml'
import type { Path } from '../core/reading/schema-faults.ts'
import { inFull } from './in-full.ts'
import { isMap, type Source, sourceText } from './layers.ts'
import type { LoadedSettings } from './load.ts'
import { settingsPlaces } from './place-names.ts'

/** A setting: its full key, its value and the source of the value. */
export interface SettingEntry {
  readonly path: Path
  readonly key: string
  readonly value: unknown
  readonly source: Source
}

/** Lists every setting, including defaults except those of workflows; literal secrets are hidden. */
export function settingEntries({ written, sourceOf }: LoadedSettings): readonly SettingEntry[] {
  const entries = leaves(inFull(written), []).map(({ path, value }) => ({
    path,
    key: settingsPlaces.nameOf(path),
    value: isSecret(path, value) ? HIDDEN : value,
    source: sourceOf(path),
  }))
  return entries.filter(({ path: [section], source }) => section !== 'workflows' || source.kind !== 'default')
}

/** Renders settings as the lines of a settings file, optionally with the source of each value. */
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

/** Returns the parts of a map or of a list of maps; a list of words is one value. */
function partsOf(value: unknown): readonly (readonly [PropertyKey, unknown])[] {
  if (Array.isArray(value)) return value.some(isMap) ? [...value.entries()] : []
  return isMap(value) ? Object.entries(value) : []
}

const HIDDEN = '(hidden; use $NAME instead)'

function isSecret(path: Path, value: unknown): boolean {
  const isVariable = path.at(-2) === 'env' || path.at(-2) === 'headers'
  return isVariable && /key|token|secret|password|auth/i.test(String(path.at(-1))) && !/^\$\w+$/.test(String(value))
}

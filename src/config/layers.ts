import type { Path } from '../core/reading/schema-faults.ts'

/** Source of a setting's value. */
export type Source =
  | { readonly kind: 'default' }
  | { readonly kind: 'preset'; readonly name: string }
  | { readonly kind: 'file'; readonly file: string; readonly line: number }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'flag'; readonly flag: string }

/** Settings from one source, as written there. */
export interface Layer {
  readonly values: Values
  /** Returns the source of a path, or of its nearest existing parent. */
  sourceOf(path: Path, at: 'key' | 'value'): Source
}

export type Values = Readonly<Record<string, unknown>>

/** Merges layers: the first with a value wins; maps are merged, lists replaced. */
export function mergeLayers(layers: readonly Layer[]): Values {
  return layers.reduceRight<Values>((below, { values }) => over(values, below), {})
}

/** Returns the first layer with a value at a path, or null. */
export function layerWith(layers: readonly Layer[], path: Path): Layer | null {
  return layers.find(({ values }) => hasPath(values, path)) ?? null
}

/** Formats a source. */
export function sourceText(source: Source): string {
  switch (source.kind) {
    case 'default':
      return 'default'
    case 'preset':
      return `preset ${source.name}`
    case 'file':
      return `${source.file}:${source.line}`
    case 'environment':
      return `$${source.variable}`
    case 'flag':
      return source.flag
  }
}

/** True for a map of keys. */
export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function over(values: Values, below: Values): Values {
  const both = Object.entries(values).map(([key, value]) => {
    const under = below[key]
    return [key, isMap(value) && isMap(under) ? over(value, under) : value]
  })
  return { ...below, ...Object.fromEntries(both) }
}

function hasPath(value: unknown, [name, ...rest]: Path): boolean {
  if (name === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
  return hasPath((value as Record<PropertyKey, unknown>)[name], rest)
}

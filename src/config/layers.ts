import type { Path } from '../core/reading/schema-faults.ts'

/** Where the value of a setting comes from. */
export type Source =
  | { readonly kind: 'default' }
  | { readonly kind: 'preset'; readonly name: string }
  | { readonly kind: 'file'; readonly file: string; readonly line: number }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'flag'; readonly flag: string }

/** Settings from one place, as they are written there. */
export interface Layer {
  readonly values: Values
  /** Where something is that the layer has, or the last thing on the way to what it has not. */
  sourceOf(path: Path, at: 'key' | 'value'): Source
}

export type Values = Readonly<Record<string, unknown>>

/** What layers say together: the first that has a value wins; maps are joined, lists are taken whole. */
export function joined(layers: readonly Layer[]): Values {
  return layers.reduceRight<Values>((below, { values }) => over(values, below), {})
}

/** The first layer that has something at a path. */
export function layerWith(layers: readonly Layer[], path: Path): Layer | null {
  return layers.find(({ values }) => isThere(values, path)) ?? null
}

/** A source in a few words. */
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

/** Whether a value is a map of keys. */
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

function isThere(value: unknown, [name, ...rest]: Path): boolean {
  if (name === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
  return isThere((value as Record<PropertyKey, unknown>)[name], rest)
}

import { isMap, type Layer, type Values } from './layers.ts'

/** A preset: its purpose and its settings. */
export interface Preset {
  readonly about: string
  readonly values: Values
}

/** Presets: sets of defaults, overridden by the settings file. */
export const PRESETS = {
  fast: {
    about: 'more attempts at the same time, and less patience with hangs and failures',
    values: { time: { response: 3600, task: 10_800, silence: 300 }, limits: { parallel: 5, attempts: 2 } },
  },
  safe: {
    about: 'fewer attempts at the same time, for less money',
    values: { budget: { task_usd: 3, run_usd: 20, day_usd: 40 }, limits: { parallel: 2 } },
  },
  strict: {
    about: 'one attempt at a time, two attempts per task, low limits, the strict sandbox',
    values: {
      time: { response: 3600, task: 10_800 },
      budget: { task_usd: 2, run_usd: 10, day_usd: 20 },
      limits: { parallel: 1, attempts: 2 },
      sandbox: { level: 'strict' },
    },
  },
} as const satisfies Readonly<Record<string, Preset>>

export const PRESET_NAMES = Object.keys(PRESETS) as [PresetName, ...PresetName[]]
export type PresetName = keyof typeof PRESETS

/** Returns the preset that settings name, as the layer below them; empty when they name none. */
export function presetUnder(written: Values): readonly Layer[] {
  const { preset } = written
  if (!isPresetName(preset)) return []
  const { values } = PRESETS[preset]
  const limits = { ...values.limits, parallel: Math.min(values.limits.parallel, ceilingIn(written)) }
  return [{ values: { ...values, limits }, sourceOf: () => ({ kind: 'preset', name: preset }) }]
}

/** True for the name of a preset. */
export function isPresetName(word: unknown): word is PresetName {
  return typeof word === 'string' && Object.hasOwn(PRESETS, word)
}

// Like a default, a preset stays below the ceilings that are written.
function ceilingIn({ limits }: Values): number {
  const ceilings = isMap(limits) ? [limits.coding, limits.total] : []
  return Math.min(...ceilings.filter((ceiling) => typeof ceiling === 'number'))
}

import { isMap, type Layer, type Values } from './layers.ts'

/** What a preset is for, and the settings it stands for. */
export interface Preset {
  readonly about: string
  readonly values: Values
}

/** Attitudes: defaults of their own, under whatever the file says. */
export const PRESETS = {
  fast: {
    about: 'more at once, and what hangs or fails is given up sooner',
    values: { time: { response: 3600, task: 10_800, silence: 300 }, limits: { parallel: 5, attempts: 2 } },
  },
  safe: {
    about: 'less at once, for less money',
    values: { budget: { task_usd: 3, run_usd: 20, day_usd: 40 }, limits: { parallel: 2 } },
  },
  strict: {
    about: 'one at a time, tried twice, on a short leash of time and money',
    values: {
      time: { response: 3600, task: 10_800 },
      budget: { task_usd: 2, run_usd: 10, day_usd: 20 },
      limits: { parallel: 1, attempts: 2 },
    },
  },
} as const satisfies Readonly<Record<string, Preset>>

export const PRESET_NAMES = Object.keys(PRESETS) as [PresetName, ...PresetName[]]
export type PresetName = keyof typeof PRESETS

/** The preset that settings ask for, as the layer under them; none when they ask for none. */
export function presetUnder(written: Values): readonly Layer[] {
  const { preset } = written
  if (!isPresetName(preset)) return []
  const { values } = PRESETS[preset]
  const limits = { ...values.limits, parallel: Math.min(values.limits.parallel, ceilingIn(written)) }
  return [{ values: { ...values, limits }, sourceOf: () => ({ kind: 'preset', name: preset }) }]
}

/** Whether a word names a preset. */
export function isPresetName(word: unknown): word is PresetName {
  return typeof word === 'string' && Object.hasOwn(PRESETS, word)
}

// Like a default, a preset gives way to the ceilings that are written.
function ceilingIn({ limits }: Values): number {
  const ceilings = isMap(limits) ? [limits.coding, limits.total] : []
  return Math.min(...ceilings.filter((ceiling) => typeof ceiling === 'number'))
}

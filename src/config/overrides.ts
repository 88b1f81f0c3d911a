import type { Environment } from './environment.ts'
import type { Layer, Source, Values } from './layers.ts'

/** Setting that a flag or a variable can override without editing the file. */
export interface Override {
  readonly key: string
  readonly flag: string
  readonly variable: string
  /** Name of the value in help texts. */
  readonly placeholder: string
  readonly about: string
  readonly reads: 'number' | 'text'
}

/** All overrides; other settings can only be changed in the file. */
export const OVERRIDES: readonly Override[] = [
  {
    key: 'limits.parallel',
    flag: '--parallel',
    variable: 'LONGHAUL_PARALLEL',
    placeholder: 'number',
    about: 'concurrent attempts, instead of limits.parallel',
    reads: 'number',
  },
  {
    key: 'agent.model',
    flag: '--model',
    variable: 'LONGHAUL_MODEL',
    placeholder: 'name',
    about: "the agent's model, instead of agent.model",
    reads: 'text',
  },
  {
    key: 'budget.run_usd',
    flag: '--budget',
    variable: 'LONGHAUL_BUDGET',
    placeholder: 'usd',
    about: 'US dollars for the run, instead of budget.run_usd',
    reads: 'number',
  },
  {
    key: 'sandbox.level',
    flag: '--sandbox',
    variable: 'LONGHAUL_SANDBOX',
    placeholder: 'level',
    about: 'trusted, standard or strict, instead of sandbox.level',
    reads: 'text',
  },
]

/** Returns the override of a setting, or null. */
export function overrideOf(key: string): Override | null {
  return OVERRIDES.find((one) => one.key === key) ?? null
}

/** Flags as typed, by name without dashes. */
export type Flags = Readonly<Record<string, unknown>>

/** Turns flags and variables into layers, strongest first. */
export function overridesFrom(environment: Environment, flags: Flags): readonly Layer[] {
  return OVERRIDES.flatMap((one) => {
    const typed = flags[one.flag.replace(/^--/, '')]
    const set = environment[one.variable] ?? ''
    return [
      ...(typeof typed === 'string' ? [layer(one, typed, { kind: 'flag', flag: one.flag })] : []),
      ...(set === '' ? [] : [layer(one, set, { kind: 'environment', variable: one.variable })]),
    ]
  })
}

function layer(override: Override, text: string, source: Source): Layer {
  const value = override.reads === 'number' ? asNumber(text) : text
  const values = override.key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  return { values: values as Values, sourceOf: () => source }
}

// Anything but a number is left to the schema, which reports what it must be.
function asNumber(text: string): unknown {
  if (text === 'null') return null
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text
}

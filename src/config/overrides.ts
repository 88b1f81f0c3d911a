import type { Environment } from './environment.ts'
import type { Layer, Source, Values } from './layers.ts'

/** A setting that a flag or a variable may give for once, without an edit of the file. */
export interface Override {
  readonly key: string
  readonly flag: string
  readonly variable: string
  /** What stands for the value in help. */
  readonly placeholder: string
  readonly about: string
  readonly reads: 'number' | 'text'
}

/** All of them; everything else is said in the file only. */
export const OVERRIDES: readonly Override[] = [
  {
    key: 'limits.parallel',
    flag: '--parallel',
    variable: 'LONGHAUL_PARALLEL',
    placeholder: 'number',
    about: 'attempts at once, instead of limits.parallel',
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
]

/** The override of a setting, where it has one. */
export function overrideOf(key: string): Override | null {
  return OVERRIDES.find((one) => one.key === key) ?? null
}

/** Flags by name, without dashes, as they were typed. */
export type Flags = Readonly<Record<string, unknown>>

/** What flags and variables say, the strongest first. */
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

function layer(override: Override, given: string, source: Source): Layer {
  const value = override.reads === 'number' ? asNumber(given) : given
  const values = override.key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  return { values: values as Values, sourceOf: () => source }
}

// What is not a number is left to the schema, which says what it must be.
function asNumber(given: string): unknown {
  if (given === 'null') return null
  return /^-?\d+(\.\d+)?$/.test(given.trim()) ? Number(given) : given
}

import type { Request } from '../model/input.ts'
import type { RunEvent } from '../model/run-event.ts'
import type { Settings } from '../model/settings.ts'
import type { RunState } from './state.ts'

/** Adopts settings that differ from those in force, with the names of the keys that changed. */
export function adoptSettings(
  state: RunState,
  { values, digest }: Extract<Request, { kind: 'adopt-settings' }>,
): readonly RunEvent[] {
  if (digest === state.settingsDigest && state.settingsFault === null) return []
  const changed = state.settings === null ? [] : changedKeys(state.settings, values)
  const isMoved = values.target !== null && values.target !== state.target && changed.includes('target')
  return [{ kind: 'settings-adopted', values, digest, changed, fixed: isMoved ? ['target'] : [] }]
}

/** Returns the keys of longhaul.yaml whose values differ, such as `budget.task_usd` or `gates`. @internal */
export function changedKeys(before: Settings, after: Settings): readonly string[] {
  return (Object.keys(after) as (keyof Settings)[])
    .filter((key) => key !== 'sources' && !isEqual(before[key], after[key]))
    .flatMap((key) => changedIn(writtenName(key), before[key], after[key]))
}

function changedIn(key: string, before: unknown, after: unknown): readonly string[] {
  if (!isMap(before) || !isMap(after)) return [key]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isEqual(before[name], after[name]))
    .map((name) => `${key}.${isOpenMap(key) ? name : writtenName(name)}`)
}

// Keys of these maps are the user's own names.
function isOpenMap(key: string): boolean {
  return ['roles', 'prices', 'prompts', 'workflows'].includes(key)
}

/** Returns the name that a setting has in longhaul.yaml: `handOff` is `hand_off`, and times are seconds there. */
function writtenName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/_ms(?=_|$)/, '')
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

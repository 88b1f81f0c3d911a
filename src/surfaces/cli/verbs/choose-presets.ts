import { isPresetName, PRESET_NAMES, PRESETS, type PresetName } from '../../../config/presets.ts'
import { usualStack, withOwnNames } from '../../../config/stacks/find-stacks.ts'
import { STACK_NAMES, type Stack, type StackName, type SuggestedGate } from '../../../config/stacks/stack.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { refuse } from '../refusal.ts'
import type { World } from '../world.ts'

/** Preset, stacks and gates of a first settings file. */
export interface ChosenPresets {
  readonly preset: PresetName | null
  readonly stacks: readonly Stack[]
  readonly gates: readonly SuggestedGate[]
}

/** Takes presets from the command line, or asks the person at the terminal. */
export async function choosePresets(
  names: readonly string[] | null,
  detected: readonly Stack[],
  ask: World['ask'] | null,
): Promise<ChosenPresets> {
  if (names !== null) return chosenBy(names, detected)
  const gates = gatesOf(detected)
  if (ask === null) return { preset: null, stacks: detected, gates }
  const check = gates.length > 0 ? [] : await askForCheck(ask)
  return { preset: await askForPreset(ask), stacks: detected, gates: [...gates, ...check] }
}

function gatesOf(stacks: readonly Stack[]): readonly SuggestedGate[] {
  return stacks.flatMap(({ gates }) => gates)
}

function chosenBy(names: readonly string[], detected: readonly Stack[]): ChosenPresets {
  for (const name of names) if (!isPresetName(name) && !isStackName(name)) refuseUnknown(name)
  const [preset = null, ...more] = names.filter(isPresetName)
  if (more.length > 0) refuse('preset-twice', `${preset} and ${more[0]} exclude each other.`, 'Name one of them.')
  const stackNames = names.filter(isStackName)
  const named = stackNames.flatMap((name) => {
    const matching = detected.filter((stack) => stack.name === name)
    return matching.length > 0 ? matching : [usualStack(name)]
  })
  const stacks = stackNames.length === 0 ? detected : withOwnNames(named)
  return { preset, stacks, gates: gatesOf(stacks) }
}

function refuseUnknown(name: string): never {
  const known = [...PRESET_NAMES, ...STACK_NAMES]
  const nearest = nearestName(name, known)
  const hint = nearest === null ? `Available: ${known.join(', ')}.` : `Did you mean ${nearest}?`
  return refuse('preset-unknown', `There is no preset ${JSON.stringify(name)}.`, hint)
}

function isStackName(word: string): word is StackName {
  return (STACK_NAMES as readonly string[]).includes(word)
}

async function askForCheck(ask: World['ask']): Promise<readonly SuggestedGate[]> {
  const run = (await ask('Which command checks the project, such as "make test"? [none] '))?.trim() ?? ''
  return run === '' ? [] : [{ name: 'tests', run, protect: [] }]
}

async function askForPreset(ask: World['ask']): Promise<PresetName | null> {
  const offers = PRESET_NAMES.map((name) => `  ${name.padEnd(6)}  ${PRESETS[name].about}\n`).join('')
  const answer = (await ask(`${offers}Which preset, if any? [none] `))?.trim() ?? ''
  if (answer === '' || answer === 'none') return null
  const nearest = isPresetName(answer) ? answer : nearestName(answer, PRESET_NAMES)
  return isPresetName(nearest) ? nearest : refuseUnknown(answer)
}

import { isPresetName, PRESET_NAMES, PRESETS, type PresetName } from '../../../config/presets.ts'
import { usualStack, withOwnNames } from '../../../config/stacks/find-stacks.ts'
import { STACK_NAMES, type Stack, type StackName, type SuggestedGate } from '../../../config/stacks/stack.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { refuse } from '../refusal.ts'
import type { World } from '../world.ts'

/** The attitude and the stacks of a first settings file. */
export interface Chosen {
  readonly preset: PresetName | null
  readonly stacks: readonly Stack[]
  readonly gates: readonly SuggestedGate[]
}

/** What was named on the command line; of a person at a terminal, the rest is asked. */
export async function choosePresets(
  names: readonly string[] | null,
  found: readonly Stack[],
  ask: World['ask'] | null,
): Promise<Chosen> {
  if (names !== null) return chosenBy(names, found)
  const gates = gatesOf(found)
  if (ask === null) return { preset: null, stacks: found, gates }
  const check = gates.length > 0 ? [] : await askForCheck(ask)
  return { preset: await askForPreset(ask), stacks: found, gates: [...gates, ...check] }
}

function gatesOf(stacks: readonly Stack[]): readonly SuggestedGate[] {
  return stacks.flatMap(({ gates }) => gates)
}

function chosenBy(names: readonly string[], found: readonly Stack[]): Chosen {
  for (const name of names) if (!isPresetName(name) && !isStackName(name)) refuseUnknown(name)
  const [preset = null, ...more] = names.filter(isPresetName)
  if (more.length > 0) refuse('preset-twice', `${preset} and ${more[0]} exclude each other.`, 'Name one of them.')
  const wanted = names.filter(isStackName)
  const named = wanted.flatMap((name) => {
    const there = found.filter((stack) => stack.name === name)
    return there.length > 0 ? there : [usualStack(name)]
  })
  const stacks = wanted.length === 0 ? found : withOwnNames(named)
  return { preset, stacks, gates: gatesOf(stacks) }
}

function refuseUnknown(name: string): never {
  const known = [...PRESET_NAMES, ...STACK_NAMES]
  const nearest = nearestName(name, known)
  const hint = nearest === null ? `There are: ${known.join(', ')}.` : `Did you mean ${nearest}?`
  return refuse('preset-unknown', `There is no preset ${JSON.stringify(name)}.`, hint)
}

function isStackName(word: string): word is StackName {
  return (STACK_NAMES as readonly string[]).includes(word)
}

async function askForCheck(ask: World['ask']): Promise<readonly SuggestedGate[]> {
  const run = (await ask('Which command checks the project, such as "make test"? [none yet] '))?.trim() ?? ''
  return run === '' ? [] : [{ name: 'tests', run, protect: [] }]
}

async function askForPreset(ask: World['ask']): Promise<PresetName | null> {
  const offers = PRESET_NAMES.map((name) => `  ${name.padEnd(6)}  ${PRESETS[name].about}\n`).join('')
  const answer = (await ask(`${offers}Which preset, if any? [none] `))?.trim() ?? ''
  if (answer === '' || answer === 'none') return null
  const meant = isPresetName(answer) ? answer : nearestName(answer, PRESET_NAMES)
  return isPresetName(meant) ? meant : refuseUnknown(answer)
}

import { describe, expect, test } from 'vitest'
import { usualStack } from '../../../config/stacks/find-stacks.ts'
import { choosePresets } from './choose-presets.ts'

const NODE = usualStack('node')
const names = (stacks: readonly { readonly name: string }[]) => stacks.map(({ name }) => name)

describe('presets named on the command line', () => {
  test('are a preset, and stacks instead of the detected ones', async () => {
    const chosen = await choosePresets(['python', 'strict', 'go'], [NODE], null)
    expect(chosen.preset).toBe('strict')
    expect(names(chosen.stacks)).toEqual(['python', 'go'])
    expect(names(chosen.gates)).toEqual(['python-tests', 'go-tests', 'go-vet'])
  })

  test('keep the detected stacks when no stack is named', async () => {
    expect(await choosePresets(['fast'], [NODE], null)).toEqual({ preset: 'fast', stacks: [NODE], gates: NODE.gates })
  })

  test.each([
    [['saef'], 'There is no preset "saef".', 'Did you mean safe?'],
    [['xyz'], 'There is no preset "xyz".', 'Available: fast, safe, strict, node, python, go, rust.'],
    [['fast', 'safe'], 'fast and safe exclude each other.', 'Name one of them.'],
  ])('%j are refused', async (names, message, hint) => {
    await expect(choosePresets(names, [], null)).rejects.toMatchObject({ problems: [{ message, hint }] })
  })
})

describe('a person at a terminal is asked', () => {
  test.each([
    [['', ''], null, []],
    [['make test', 'safe'], 'safe', ['make test']],
    [[' make test ', 'stric'], 'strict', ['make test']],
  ])('two questions when no check was detected: %j', async (answers, preset, runs) => {
    const { questions, ask } = person(answers)
    const chosen = await choosePresets(null, [], ask)
    expect([chosen.preset, chosen.gates.map(({ run }) => run)]).toEqual([preset, runs])
    expect(questions).toHaveLength(2)
  })

  test('one question when one was', async () => {
    const { questions, ask } = person(['none'])
    expect(await choosePresets(null, [NODE], ask)).toEqual({ preset: null, stacks: [NODE], gates: NODE.gates })
    expect(questions).toHaveLength(1)
  })

  test('and without a terminal nothing is asked', async () => {
    expect(await choosePresets(null, [], async () => null)).toEqual({ preset: null, stacks: [], gates: [] })
  })
})

function person(answers: readonly string[]) {
  const questions: string[] = []
  const ask = async (question: string) => answers[questions.push(question) - 1] ?? null
  return { questions, ask }
}

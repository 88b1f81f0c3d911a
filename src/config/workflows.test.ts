import { describe, expect, test } from 'vitest'
import { loadSettings } from './load.ts'

describe('workflows', () => {
  test('may be changed in part; the rest stays built in', () => {
    const { small, large } = workflows('workflows: { small: { rounds: 3 } }')
    expect(small).toEqual({ ...workflows('').small, rounds: 3 })
    expect(large).toEqual(workflows('').large)
  })

  test('have phases with roles by their names, which go back to where files are changed', () => {
    const names = ['plan', 'implement', 'verify', 'review', 'qa']
    const phases = names.map((name) => ({ name, by: name === 'verify' ? 'script' : 'agent' }))
    const { small } = workflows(JSON.stringify({ workflows: { small: { phases } } }))
    expect(small.phases.map(({ role, gates, backTo }) => [role, gates, backTo])).toEqual([
      ['planner', [], null],
      ['coder', [], 'implement'],
      ['coder', 'all', 'implement'],
      ['reviewer', [], 'implement'],
      ['qa', [], 'qa'],
    ])
  })

  test.each([
    ['phases: []', '3: workflows.small.phases must be a list with a phase in which an agent changes files'],
    ['phases: [ { name: review } ]', '3: workflows.small.phases must be a list with a phase in which an agent changes'],
    [
      'phases: [ { name: a }, { name: a } ]',
      '3: workflows.small.phases[1].name must be a name that no other phase has',
    ],
    [
      'phases:\n      - { name: verify, by: script }\n      - { name: a }',
      '4: workflows.small.phases[0].by must be agent or person, because there is nothing to check yet; got "script".',
    ],
    [
      'phases:\n      - { name: a }\n      - { name: verify, by: script, back_to: b }',
      '5: workflows.small.phases[1].back_to must be the name of a phase before it; got "b".',
    ],
    [
      'phases:\n      - { name: a }\n      - { name: verify, by: script, back_to: verify }',
      '5: workflows.small.phases[1].back_to must be a phase in which an agent changes files, or the work would loop forever',
    ],
    [
      'phases: [ { name: a, gates: [ lint ] } ]',
      '3: workflows.small.phases[0].gates[0] must be a gate\'s name; got "lint".',
    ],
    [
      'phases: [ { name: A } ]',
      '3: workflows.small.phases[0].name must be a name of lowercase letters, digits and "-"',
    ],
    ['pases: []', '3: unknown key "pases" in workflows.small.'],
  ])('with %s are refused, with the place', (text, message) => {
    const loaded = loadSettings({ file: null, text: `workflows:\n  small:\n    ${text}` })
    expect(loaded.kind === 'wrong' ? loaded.problems[0]?.message : null).toContain(message)
  })

  test('are what breakpoints refer to: an unknown phase is refused', () => {
    const loaded = loadSettings({ file: null, text: 'breakpoints:\n  - { before: landng }' })
    expect(loaded.kind === 'wrong' ? loaded.problems[0]?.message : null).toContain(
      '2: breakpoints[0].before must be a phase of some workflow, or landing; got "landng".',
    )
    expect(loadSettings({ file: null, text: 'breakpoints: [ { before: landing }, { before: qa } ]' }).kind).toBe(
      'loaded',
    )
  })

  test('of an unknown weight are refused', () => {
    const loaded = loadSettings({ file: null, text: 'workflows:\n  smal: {}' })
    expect(loaded.kind === 'wrong' && loaded.problems[0]).toMatchObject({
      message: expect.stringContaining('2:'),
      hint: expect.stringContaining('small'),
    })
  })
})

function workflows(text: string) {
  const loaded = loadSettings({ file: null, text })
  if (loaded.kind === 'wrong') throw new Error(loaded.problems.map(({ message }) => message).join('\n'))
  return loaded.settings.workflows
}

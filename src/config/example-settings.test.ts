import { describe, expect, test } from 'vitest'
import { type Example, exampleSettings } from './example-settings.ts'
import { loadSettings } from './load.ts'
import { PRESET_NAMES } from './presets.ts'

const MODELINE = '# yaml-language-server: $schema=.git/longhaul/settings.schema.json'
const NOTHING: Example = { gates: [], setup: [], preset: null, driver: 'scripted', modeline: MODELINE }

describe('example settings', () => {
  test('start with the line for editors, and are short', () => {
    const lines = exampleSettings(NOTHING).split('\n')
    expect(lines[0]).toBe(MODELINE)
    expect(lines.length).toBeLessThan(30)
    expect(lines.filter((line) => line.length > 120)).toEqual([])
  })

  test('have the detected gates and setup, whatever characters they contain', () => {
    const gates = [
      { name: 'web app-tests', run: "cd 'web app' && npm test", protect: ['web app/test/**'] },
      { name: 'odd', run: '- [a]: "b" # c', protect: [] },
    ]
    const setup = ["cd 'web app' && npm ci", '@x: y']
    expect(load({ ...NOTHING, gates, setup })).toMatchObject({ gates, workspace: { setup } })
  })

  test.each(['scripted', 'claude'])('have the driver %s', (driver) => {
    const script = driver === 'scripted' ? 'script.yaml' : null
    expect(load({ ...NOTHING, driver })).toMatchObject({ agent: { driver, script }, gates: null })
  })

  test.each(PRESET_NAMES)('have the preset %s', (preset) => {
    expect(exampleSettings({ ...NOTHING, preset })).toMatch(new RegExp(`^preset: ${preset} +# `, 'm'))
    expect(load({ ...NOTHING, preset })).toBeTruthy()
  })

  test('are valid with the comments removed', () => {
    const text = exampleSettings(NOTHING).replaceAll(
      /^( *)# ((target|preset|gates|workspace|env|limits|budget):| {2})/gm,
      '$1$2',
    )
    expect(loadSettings({ file: 'longhaul.yaml', text })).toMatchObject({
      written: { preset: 'safe' },
      settings: {
        target: 'main',
        agent: { env: { SOME_KEY: '$SOME_KEY' } },
        limits: { parallel: 3 },
        budget: { taskUsd: 5 },
        gates: [{ name: 'tests', run: 'make test', protect: ['test/**'] }],
        workspace: { setup: ['make deps'] },
      },
    })
  })
})

function load(example: Example) {
  const read = loadSettings({ file: 'longhaul.yaml', text: exampleSettings(example) })
  if (read.kind === 'wrong') throw new Error(read.problems.map(({ message }) => message).join('\n'))
  return read.settings
}

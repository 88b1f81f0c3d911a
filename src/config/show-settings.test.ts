import { describe, expect, test } from 'vitest'
import { type LoadedSettings, loadSettings } from './load.ts'
import { overridesFrom } from './overrides.ts'
import { PRESET_NAMES } from './presets.ts'
import { settingEntries, settingsYaml } from './show-settings.ts'

const TEXT = `preset: safe
agent: { driver: scripted, script: s.yaml, env: { HOST: $HOST, API_KEY: abc } }
budget:
  task_usd: 1
gates:
  - name: tests
    run: "true"
`
const ENVIRONMENT = { LONGHAUL_PARALLEL: '4', LONGHAUL_BUDGET: '7', LONGHAUL_MODEL: '', LONGHAUL_TASK: 'x' }

describe('each setting', () => {
  const entries = settingEntries(load(TEXT, ENVIRONMENT, { parallel: '5', model: 'opus', json: true }))
  const of = (key: string) => entries.filter((entry) => entry.key === key).map(({ value, source }) => [value, source])

  test.each([
    ['time.response', 7200, { kind: 'default' }],
    ['limits.coding', 5, { kind: 'default' }],
    ['gates[0].timeout', 600, { kind: 'default' }],
    ['budget.day_usd', 40, { kind: 'preset', name: 'safe' }],
    ['budget.task_usd', 1, { kind: 'file', file: 'longhaul.yaml', line: 4 }],
    ['gates[0].run', 'true', { kind: 'file', file: 'longhaul.yaml', line: 7 }],
    ['budget.run_usd', 7, { kind: 'environment', variable: 'LONGHAUL_BUDGET' }],
    ['limits.parallel', 5, { kind: 'flag', flag: '--parallel' }],
    ['agent.model', 'opus', { kind: 'flag', flag: '--model' }],
  ])('has a source: %s', (key, value, source) => {
    expect(of(key)).toEqual([[value, source]])
  })

  test('that holds a secret in clear text is hidden', () => {
    expect(of('agent.env.API_KEY')[0]?.[0]).toMatch(/hidden/)
    expect(of('agent.env.HOST')[0]?.[0]).toBe('$HOST')
  })
})

describe('settings written out', () => {
  test.each(['', TEXT.replace('abc', '$KEY'), ...PRESET_NAMES.map((name) => `preset: ${name}`)])(
    'mean the same when read again: %j',
    (text) => {
      const loaded = load(text)
      for (const how of ['plain', 'with sources'] as const) {
        const lines = settingsYaml(settingEntries(loaded), how)
        expect(load(lines.join('\n')).settings).toEqual(loaded.settings)
      }
    },
  )

  test('name the source behind each value', () => {
    const lines = settingsYaml(settingEntries(load(TEXT, ENVIRONMENT)), 'with sources')
    expect(lines).toContain('  parallel: 4 # $LONGHAUL_PARALLEL')
    expect(lines).toContain('  day_usd: 40 # preset safe')
    expect(lines).toContain('    run: "true" # longhaul.yaml:7')
    expect(lines).toContain('roles: {} # default')
  })
})

describe('a preset', () => {
  test('gives way to what is written, like a default', () => {
    expect(load('preset: fast').settings.limits).toMatchObject({ parallel: 5, attempts: 2 })
    expect(load('preset: fast\nlimits: { coding: 2 }').settings.limits).toMatchObject({ parallel: 2, coding: 2 })
    expect(load('preset: strict\nbudget: { task_usd: null }').settings.budget).toEqual({
      taskUsd: null,
      runUsd: 10,
      dayUsd: 20,
    })
  })
})

describe('a wrong flag or variable is named:', () => {
  test.each([
    [
      { LONGHAUL_PARALLEL: 'many' },
      {},
      '$LONGHAUL_PARALLEL: limits.parallel must be a whole number from 1 to 32; got "many".',
    ],
    [{}, { parallel: '0' }, '--parallel: limits.parallel must be a whole number from 1 to 32; got 0.'],
    [{ LONGHAUL_PARALLEL: '99' }, { parallel: '6' }, null],
    [
      {},
      { budget: '-1' },
      '--budget: budget.run_usd must be a number of dollars above 0, or null for no limit; got -1.',
    ],
    [{}, { budget: 'null' }, null],
    [{}, { model: ' ' }, '--model: agent.model must be text that is not empty; got " ".'],
  ])('%j %j', (environment, flags, message) => {
    const read = loadSettings({ file: null, text: '', over: overridesFrom(environment, flags) })
    expect(read.kind === 'wrong' ? read.problems.map((problem) => problem.message) : null).toEqual(
      message === null ? null : [message],
    )
  })

  test('a flag above a ceiling that is written is refused, naming both', () => {
    const over = overridesFrom({}, { parallel: '8' })
    expect(loadSettings({ file: null, text: 'limits: { coding: 4 }', over })).toMatchObject({
      problems: [{ message: '--parallel: limits.parallel must be at most limits.coding (4); got 8.' }],
    })
  })
})

test('all faults of a settings file are reported, however many', () => {
  const text = Array.from({ length: 40 }, (_, at) => `key${at}: x`).join('\n')
  const read = loadSettings({ file: null, text })
  expect(read.kind === 'wrong' ? read.problems.length : 0).toBe(40)
})

function load(text: string, environment = {}, flags = {}): LoadedSettings {
  const read = loadSettings({ file: null, text, over: overridesFrom(environment, flags) })
  if (read.kind === 'wrong') throw new Error(read.problems.map(({ message }) => message).join('\n'))
  return read
}

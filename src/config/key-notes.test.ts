import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { KEY_GUIDE } from './key-guide.ts'
import { type KeyNote, keyNotes, noteOn } from './key-notes.ts'
import { loadSettings } from './load.ts'
import { settingsDigest } from './settings-digest.ts'

// Accepted so that files stay valid, and not acted on yet. This list only gets shorter.
const NOT_READ_YET: Readonly<Record<string, string>> = {}
// Keys that only affect the defaults of other keys have no effect after loading.
const READ_WITH_THE_FILE = ['preset']

/** Source file that acts on each key. */
const READ_IN: Readonly<Record<string, string>> = {
  preset: 'config/presets.ts',
  target: 'surfaces/cli/repository/target.ts',
  'agent.driver': 'engine/perform-round.ts',
  'agent.model': 'adapters/drivers/claude/query-options.ts',
  'agent.access': 'adapters/drivers/claude/tool-policy.ts',
  'agent.env': 'adapters/drivers/scripted/driver.ts',
  'agent.script': 'adapters/drivers/scripted/driver.ts',
  'agent.fallback_model': 'adapters/drivers/claude/query-options.ts',
  'agent.effort': 'adapters/drivers/claude/query-options.ts',
  'agent.tools.allow': 'adapters/drivers/claude/query-options.ts',
  'agent.tools.deny': 'adapters/drivers/claude/query-options.ts',
  'agent.mcp': 'adapters/drivers/claude/query-options.ts',
  'agent.setting_sources': 'adapters/drivers/claude/query-options.ts',
  'agent.system_prompt': 'adapters/drivers/claude/query-options.ts',
  'agent.subagents': 'adapters/drivers/claude/agent-environment.ts',
  'roles.planner': 'core/phases/workflows.ts',
  'roles.coder': 'core/phases/workflows.ts',
  'roles.tester': 'core/phases/workflows.ts',
  'roles.reviewer': 'core/phases/workflows.ts',
  'roles.qa': 'core/phases/workflows.ts',
  'roles.resolver': 'core/phases/workflows.ts',
  'roles.fixer': 'core/phases/workflows.ts',
  'context.warn': 'core/context/occupancy.ts',
  'context.hand_off': 'core/context/occupancy.ts',
  'context.critical': 'core/context/occupancy.ts',
  'context.cap': 'core/context/occupancy.ts',
  'context.policy': 'core/context/occupancy.ts',
  'turns.preset': 'core/limits/round-limits.ts',
  'turns.min': 'core/limits/round-limits.ts',
  'turns.max': 'core/limits/round-limits.ts',
  'turns.retries': 'core/run/attempt-spec.ts',
  'turns.multiplier': 'core/run/attempt-spec.ts',
  'time.response': 'core/run/attempt-limits.ts',
  'time.task': 'core/run/attempt-limits.ts',
  'time.setup': 'core/run/attempt-spec.ts',
  'time.hook': 'core/run/attempt-spec.ts',
  'time.silence': 'core/run/attempt-spec.ts',
  'budget.task_usd': 'core/run/allowance.ts',
  'budget.run_usd': 'core/run/allowance.ts',
  'budget.day_usd': 'core/run/allowance.ts',
  'limits.parallel': 'core/run/slots.ts',
  'limits.coding': 'core/run/slots.ts',
  'limits.total': 'core/run/slots.ts',
  'limits.attempts': 'core/run/decide-attempt-event.ts',
  'limits.hand_offs': 'core/run/attempt-spec.ts',
  'limits.error_delay': 'core/run/attempt-spec.ts',
  'limits.error_delay_max': 'core/run/attempt-spec.ts',
  'limits.limit_delay': 'core/run/attempt-spec.ts',
  'limits.limit_delay_max': 'core/run/attempt-spec.ts',
  gates: 'core/run/attempt-spec.ts',
  'gates[].name': 'adapters/gates/command.ts',
  'gates[].run': 'adapters/gates/command.ts',
  'gates[].on_fail': 'adapters/gates/command.ts',
  'gates[].timeout': 'adapters/gates/command.ts',
  'gates[].canary': 'engine/prove-checks.ts',
  'gates[].protect': 'core/checks/guarded-files.ts',
  'gates[].coverage': 'core/checks/check-findings.ts',
  'workspace.setup': 'adapters/workspaces/ensure-workspace.ts',
  'workspace.hooks.after_create': 'adapters/workspaces/ensure-workspace.ts',
  'workspace.hooks.before_run': 'engine/perform-round.ts',
  'workspace.hooks.after_run': 'engine/perform-round.ts',
  'workspace.hooks.before_remove': 'adapters/workspaces/release-workspace.ts',
  'landing.mode': 'core/run/effects-due.ts',
  'sandbox.level': 'adapters/sandboxes/bubblewrap/bubblewrap.ts',
  'sandbox.required': 'adapters/sandboxes/open-sandbox.ts',
  'sandbox.read': 'adapters/sandboxes/bubblewrap/places.ts',
  'sandbox.write': 'adapters/sandboxes/bubblewrap/places.ts',
  'sandbox.sockets': 'adapters/sandboxes/bubblewrap/places.ts',
  'sandbox.hosts': 'adapters/sandboxes/sandbox-network.ts',
  'sandbox.loopback': 'adapters/sandboxes/sandbox-network.ts',
  'sandbox.web': 'adapters/sandboxes/sandbox-network.ts',
  'judge.driver': 'engine/ask-judge.ts',
  'judge.model': 'adapters/judges/ollama.ts',
  'judge.url': 'adapters/judges/http.ts',
  'judge.key': 'adapters/judges/http.ts',
  'judge.timeout': 'engine/ask-judge.ts',
  'judge.opinions': 'core/attempt/after-opinion.ts',
  'judge.quality': 'core/attempt/after-opinion.ts',
  prices: 'core/attempt/decide-usage.ts',
  prompts: 'core/prompts/round-prompts.ts',
  ui_tests: 'core/prompts/round-prompts.ts',
  breakpoints: 'core/run/attempt-spec.ts',
  'breakpoints[].before': 'core/run/attempt-spec.ts',
  'breakpoints[].tasks': 'core/run/attempt-spec.ts',
  'breakpoints[].weights': 'core/run/attempt-spec.ts',
  'breakpoints[].milestones': 'core/run/attempt-spec.ts',
  workflows: 'core/run/attempt-spec.ts',
}

const root = join(import.meta.dirname, '../..')
const notes = keyNotes()

describe('every key', () => {
  test('is in the key guide, which has no others', () => {
    expect(Object.keys(KEY_GUIDE)).toEqual(notes.map(({ key }) => key))
  })

  test('has a description and a text for valid values', () => {
    const isSilent = ({ key, about, expected }: KeyNote) =>
      expected === '' || (about === '' && !key.startsWith('roles.'))
    expect(notes.filter(isSilent).map(({ key }) => key)).toEqual([])
  })

  test.each(notes.map((note) => [note.key, note] as const))(
    '%s: its example is valid and changes the settings',
    (key, note) => {
      const text = stringify(exampleOf(key, note.example))
      expect(digestOf(text)).not.toBe(digestWithout(key))
    },
  )

  test('without an effect is listed, with the reason', () => {
    const unread = notes.filter(({ usedBy }) => usedBy === null).map(({ key }) => key)
    expect(unread).toEqual(Object.keys(NOT_READ_YET))
  })

  test('with an effect is read by its source file, outside of config', () => {
    const wrong = notes.flatMap(({ key, usedBy }) => {
      if (usedBy === null) return []
      const readIn = READ_IN[key] ?? 'no file'
      const isOutside = !readIn.startsWith('config/') || READ_WITH_THE_FILE.includes(key)
      return isOutside && isReadIn(readIn, key) ? [] : [`${key}: not in ${readIn}`]
    })
    expect(wrong).toEqual([])
  })
})

test('no note names a source file', () => {
  expect(notes.filter(({ about, usedBy }) => /\.ts\b|src\//.test(`${about} ${usedBy}`))).toEqual([])
})

describe('the guide to settings', () => {
  const guide = readFileSync(join(root, 'docs/guides/configuration.md'), 'utf8')

  test.each(notes.map((note) => [note.key, note] as const))('has %s, with its default', (key, { byDefault }) => {
    const rows = sectionOf(guide, key.split(/[.[]/)[0] ?? '').split('\n')
    const name = key.replace(/^\w+(\[\])?\./, '')
    const row = rows.find((line) => line.startsWith(`| \`${name}\` |`))
    expect(row?.split('|')[2]).toMatch(defaultText(byDefault))
  })
})

describe('a name', () => {
  test.each([
    ['limits.parallel', 'limits.parallel'],
    ['gates.run', 'gates[].run'],
    ['gates[0].run', 'gates[].run'],
    ['gates', 'gates'],
    ['workspace.hooks', 'workspace.hooks'],
    ['judge', 'judge'],
  ])('%s stands for %s', (name, key) => {
    expect(noteOn(name)).toMatchObject({ key })
  })

  test.each(['', 'limit', 'limits.', 'run', 'roles.coder.model', 'toString'])('%j stands for nothing', (name) => {
    expect(noteOn(name)).toBeNull()
  })
})

/** Adds keys that a rule requires, or that an item of a list must have. */
function exampleOf(key: string, example: unknown): unknown {
  if (key.startsWith('gates[]')) return { gates: [{ name: 'x', run: 'x', [key.slice('gates[].'.length)]: example }] }
  const point = key.slice('breakpoints[].'.length)
  if (key.startsWith('breakpoints[]')) return { breakpoints: [{ before: 'review', [point]: example }] }
  if (key.startsWith('judge')) return { judge: { ...JUDGE, [key.slice('judge.'.length)]: example } }
  const written = nested(key, example)
  return key === 'agent.driver' ? { agent: { driver: example, script: 'x' } } : written
}

const JUDGE = { driver: 'openai', model: 'x', url: 'http://x' }

function digestWithout(key: string): string {
  const text = key.startsWith('gates[]') ? stringify({ gates: [{ name: 'x', run: 'x' }] }) : ''
  return digestOf(text)
}

function digestOf(text: string): string {
  const loaded = loadSettings({ file: null, text })
  if (loaded.kind === 'wrong') throw new Error(loaded.problems.map(({ message }) => message).join('\n'))
  return settingsDigest(loaded.settings)
}

function nested(key: string, value: unknown): unknown {
  return key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
}

/** True when a file's code contains the name that a key has in the program. */
function isReadIn(file: string, key: string): boolean {
  const path = join(root, 'src', file)
  // Roles are looked up by name.
  const name = key.startsWith('roles.') ? 'roles' : (key.split(/[.\]]/).at(-1) ?? '')
  const [first = '', ...rest] = name.split('_')
  const inside = [first, ...rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join('(Ms)?')
  const code = existsSync(path) ? readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '') : ''
  return new RegExp(`(\\.|[{,] ?|')${inside}(Ms)?\\b`).test(code)
}

function sectionOf(guide: string, name: string): string {
  const [, ...sections] = guide.split(/^## /m)
  return sections.find((section) => section.startsWith(`${name}\n`)) ?? ''
}

/** Returns what the guide must say; a default of null is described in words. */
function defaultText(byDefault: unknown): RegExp {
  if (byDefault === undefined) return /required/
  if (byDefault === null) return /\S/
  const text = typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault)
  return new RegExp(
    text
      .replaceAll('"', '')
      .replaceAll(/[[\]{}.]/g, '\\$&')
      .replaceAll(',', ', '),
  )
}

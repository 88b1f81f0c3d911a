import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { isProblem } from '../core/model/problem.ts'
import type { Settings } from '../core/model/settings.ts'
import { loadSettings } from './load.ts'
import { jsonSchema } from './schema.ts'
import { settingsDigest } from './settings-digest.ts'

// A value other than the default for every key there is.
const OTHER: Readonly<Record<string, unknown>> = {
  target: 'next',
  'agent.driver': 'codex',
  'agent.model': 'small',
  'agent.access': 'full',
  'agent.env': { A: '$B' },
  'agent.script': 's.yaml',
  'agent.fallback_model': 'smaller',
  'agent.effort': 'low',
  'agent.tools': { allow: ['Read'], deny: ['Bash'] },
  'agent.mcp': { docs: { command: 'docs-server', args: ['-v'], env: { A: '$B' } } },
  'agent.setting_sources': ['project'],
  'agent.system_prompt': 'Be brief.',
  'agent.subagents': 0,
  'roles.planner': { model: 'a' },
  'roles.coder': { driver: 'a' },
  'roles.tester': { access: 'full' },
  'roles.reviewer': { env: { A: 'b' } },
  'roles.qa': { script: 'a' },
  'roles.resolver': { model: null },
  'roles.fixer': { model: 'a' },
  'context.warn': 0.5,
  'context.hand_off': 0.9,
  'context.critical': 0.99,
  'context.cap': 100_000,
  'context.policy': 'compact',
  'turns.preset': 'lean',
  'turns.min': 20,
  'turns.max': 100,
  'turns.retries': 2,
  'turns.multiplier': 1.5,
  'time.response': 100,
  'time.task': 100,
  'time.setup': 100,
  'time.hook': 100,
  'time.silence': 100,
  'budget.task_usd': 1,
  'budget.run_usd': 1,
  'budget.day_usd': null,
  'limits.parallel': 2,
  'limits.coding': 6,
  'limits.total': 11,
  'limits.attempts': 2,
  'limits.hand_offs': 2,
  'limits.error_delay': 1,
  'limits.error_delay_max': 200,
  'limits.limit_delay': 1,
  'limits.limit_delay_max': 200,
  gates: [{ name: 'a', run: 'b', on_fail: 'warn', timeout: 5, protect: ['c'] }],
  'workspace.setup': ['make'],
  'workspace.hooks': { after_create: 'a', before_run: 'b', after_run: 'c', before_remove: 'd' },
  'landing.mode': 'squash',
  judge: { driver: 'ollama', model: 'a', url: 'http://127.0.0.1/' },
  prices: { a: { input: 1, output: 2, cache_read: 3, cache_write: 4 } },
}

describe('the schema', () => {
  const schema = jsonSchema() as unknown as SchemaNode

  test('has no key that is not tried here', () => {
    expect(keysOf(schema).toSorted()).toEqual(Object.keys(OTHER).toSorted())
  })

  test.each(Object.entries(OTHER))('has a key %s that changes the settings', (key, value) => {
    expect(settingsDigest(loaded(stringify(nested(key, value))))).not.toBe(settingsDigest(loaded('')))
  })

  test('says of every key what it is for', () => {
    const silent = keysOf(schema).filter((key) => !/^roles\./.test(key) && !nodeAt(schema, key)?.description)
    expect(silent).toEqual([])
  })

  test('lets editors know defaults and that other keys are wrong', () => {
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(nodeAt(schema, 'time.response')).toMatchObject({ type: 'number', minimum: 60, default: 7200 })
    expect(schema).not.toHaveProperty('required')
  })
})

describe('the digest of settings', () => {
  test('does not depend on the order of keys, nor on defaults written out', () => {
    const [a, b] = ['limits: { parallel: 2, coding: 4 }', 'time: { hook: 60 }\nlimits: { coding: 4, parallel: 2 }']
    expect(settingsDigest(loaded(a))).toBe(settingsDigest(loaded(b)))
    expect(settingsDigest(loaded(a))).toMatch(/^[0-9a-f]{64}$/)
  })

  test('depends on the order of gates', () => {
    const gates = (...names: string[]) => loaded(stringify({ gates: names.map((name) => ({ name, run: 'x' })) }))
    expect(settingsDigest(gates('a', 'b'))).not.toBe(settingsDigest(gates('b', 'a')))
  })
})

interface SchemaNode {
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
}

/** The keys of the first two levels: sections by their keys, the rest by name. */
function keysOf({ properties = {} }: SchemaNode): string[] {
  return Object.entries(properties).flatMap(([name, section]) =>
    section.properties ? Object.keys(section.properties).map((key) => `${name}.${key}`) : [name],
  )
}

function nodeAt(schema: SchemaNode, key: string): SchemaNode | undefined {
  return key.split('.').reduce<SchemaNode | undefined>((node, name) => node?.properties?.[name], schema)
}

function nested(key: string, value: unknown): unknown {
  return key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
}

function loaded(text: string): Settings {
  const settings = loadSettings({ file: null, text })
  if (!('agent' in settings))
    throw new Error(
      settings
        .filter(isProblem)
        .map(({ message }) => message)
        .join('\n'),
    )
  return settings
}

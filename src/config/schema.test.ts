import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Settings } from '../core/model/settings.ts'
import { loadSettings } from './load.ts'
import { jsonSchema } from './schema.ts'
import { settingsDigest } from './settings-digest.ts'

describe('the schema', () => {
  const schema = jsonSchema() as unknown as SchemaNode

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

function nodeAt(schema: SchemaNode, key: string): SchemaNode | undefined {
  return key.split('.').reduce<SchemaNode | undefined>((node, name) => node?.properties?.[name], schema)
}

function loaded(text: string): Settings {
  const read = loadSettings({ file: null, text })
  if (read.kind === 'wrong') throw new Error(read.problems.map(({ message }) => message).join('\n'))
  return read.settings
}

import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import type { Path } from './schema-faults.ts'
import { offsetOf } from './yaml-document.ts'

const TEXT = `tasks:
  - id: a
    after: [ b, c ]
  - id: d
    brief:
1: one
`
const { contents } = parseDocument(TEXT)

const CASES: readonly (readonly [path: Path, at: 'key' | 'value', text: string])[] = [
  [['tasks'], 'key', 'tasks:'],
  [['tasks'], 'value', '- id: a'],
  [['tasks', 0, 'id'], 'key', 'id: a'],
  [['tasks', 0, 'id'], 'value', 'a\n'],
  [['tasks', 0, 'after', 1], 'value', 'c ]'],
  [['tasks', 1], 'value', 'id: d'],
  [['1'], 'value', 'one'],
  [['tasks', 1, 'title'], 'value', 'id: d'],
  [['tasks', 1, 'title', 3], 'value', 'id: d'],
  [['tasks', 7], 'value', '- id: a'],
  [['nothing'], 'key', 'tasks:'],
]

test.each(CASES)('%j: the %s, or the last thing on the way', (path, at, text) => {
  expect(TEXT.slice(offsetOf(contents, path, at)).startsWith(text)).toBe(true)
})

test('an empty document starts at offset 0', () => {
  expect(offsetOf(null, ['a'], 'value')).toBe(0)
})

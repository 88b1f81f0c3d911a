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
// What only decides about other keys' defaults has done its work once settings are read.
const READ_WITH_THE_FILE = ['preset']

const root = join(import.meta.dirname, '../..')
const notes = keyNotes()

describe('every key', () => {
  test('has its place in the guide, and the guide has no others', () => {
    expect(Object.keys(KEY_GUIDE)).toEqual(notes.map(({ key }) => key))
  })

  test('says what it is for and what it must be', () => {
    const isSilent = ({ key, about, expected }: KeyNote) =>
      expected === '' || (about === '' && !key.startsWith('roles.'))
    expect(notes.filter(isSilent).map(({ key }) => key)).toEqual([])
  })

  test.each(notes.map((note) => [note.key, note] as const))(
    '%s: its example is right, and changes the settings',
    (key, note) => {
      const text = stringify(exampleOf(key, note.example))
      expect(digestOf(text)).not.toBe(digestWithout(key))
    },
  )

  test('that nothing acts on is known, with the reason', () => {
    const unread = notes.filter(({ readIn }) => readIn === null).map(({ key }) => key)
    expect(unread).toEqual(Object.keys(NOT_READ_YET))
  })

  test('that something acts on is read there, outside of config', () => {
    const wrong = notes.flatMap(({ key, readIn }) => {
      if (readIn === null) return []
      const isOutside = !readIn.startsWith('config/') || READ_WITH_THE_FILE.includes(key)
      return isOutside && isReadIn(readIn, key) ? [] : [`${key}: not in ${readIn}`]
    })
    expect(wrong).toEqual([])
  })
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

/** What stands beside it: keys that a rule wants, or that an item of a list must have. */
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

/** Whether a file's code has the name that a key has inside the program. */
function isReadIn(file: string, key: string): boolean {
  const path = join(root, 'src', file)
  // Of roles, the one that is needed is looked up.
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

/** A default of null is told in words. */
function defaultText(byDefault: unknown): RegExp {
  if (byDefault === undefined) return /needed/
  if (byDefault === null) return /\S/
  const text = typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault)
  return new RegExp(
    text
      .replaceAll('"', '')
      .replaceAll(/[[\]{}.]/g, '\\$&')
      .replaceAll(',', ', '),
  )
}

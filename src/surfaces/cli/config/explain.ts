import type { KeyNote, SectionNote } from '../../../config/key-notes.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { EXIT } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { refuse } from '../refusal.ts'
import { hanging, wrap } from '../render/columns.ts'
import type { Verb } from '../verb.ts'
import { type GuardedGate, guardedGates } from './guarded-gates.ts'

/** `longhaul config explain`: explains a key. */
export const explainVerb: Verb = {
  about:
    'Says what a key is for, what it may be, its default, an example and the part of Longhaul that uses it. Without a key: all keys. With "gates": also what each of your gates is made of.',
  examples: ['longhaul config explain', 'longhaul config explain budget', 'longhaul config explain gates.protect'],
  shape: (command) =>
    void command.argument('[key]', 'a key, such as limits.parallel').option('--json', 'print what is known as JSON'),
  async run({ output, world }, { args }) {
    const { keyNotes, noteOn } = await import('../../../config/key-notes.ts')
    const wanted = args[0]
    const note = wanted === undefined ? null : (noteOn(wanted) ?? unknownKey(wanted, keyNotes()))
    const notes = note === null ? keyNotes() : 'keys' in note ? note.keys : [note]
    const guarded = note?.key === 'gates' ? await guardedGates(world) : []
    output.json({ keys: notes.map(plain), guarded })
    const { stringify } = await import('yaml')
    const lines = note === null || 'keys' in note ? listed(note, notes, output) : noteLines(note, output, stringify)
    for (const line of [...lines, ...guardedLines(guarded, output)]) output.line(line)
    return EXIT.done
  },
}

function plain({ byDefault, override, ...note }: KeyNote) {
  const { flag = null, variable = null } = override ?? {}
  return { ...note, default: byDefault ?? null, isNeeded: byDefault === undefined, flag, variable }
}

function unknownKey(wanted: string, notes: readonly KeyNote[]): never {
  const sections = notes.map(({ key }) => key.split(/[.[]/)[0] ?? '')
  const names = [...notes.map(({ key }) => key.replace('[]', '')), ...new Set(sections)]
  const nearest = nearestName(wanted, names) ?? nearestByEnd(wanted, names)
  refuse(
    'key-unknown',
    `There is no key ${JSON.stringify(wanted)}.`,
    nearest === null
      ? 'See all keys: longhaul config explain'
      : `Did you mean ${nearest}? longhaul config explain ${nearest}`,
  )
}

/** Finds the key that is meant when its section is left out. */
function nearestByEnd(wanted: string, names: readonly string[]): string | null {
  const ends = names.map((name) => name.slice(name.lastIndexOf('.') + 1))
  const end = nearestName(wanted, ends)
  return end === null ? null : (names[ends.indexOf(end)] ?? null)
}

function listed(section: SectionNote | null, notes: readonly KeyNote[], { width }: Output): readonly string[] {
  const longest = Math.max(...notes.map(({ key }) => key.length))
  return [
    ...(section === null ? [] : [...wrap(`${section.key}: ${section.about}`, width), '']),
    ...notes.flatMap(({ key, about }) => hanging(`${key.padEnd(longest)}  `, about, width)),
  ]
}

function noteLines(note: KeyNote, { width }: Output, stringify: (value: unknown) => string): readonly string[] {
  const { key, about, expected, byDefault, example, usedBy, override } = note
  const rows: readonly (readonly [string, string])[] = [
    ['must be', expected],
    ['default', byDefault === undefined ? 'none: it has to be written' : JSON.stringify(byDefault)],
    ['or by', override === null ? '' : `${override.flag} of "longhaul run", or $${override.variable}`],
    ['used by', usedBy ?? 'nothing yet'],
  ]
  return [
    ...wrap(`${key}: ${about}`, width),
    ...rows.flatMap(([name, text]) => (text === '' ? [] : hanging(`  ${name.padEnd(7)}  `, text, width))),
    '  example',
    ...stringify(nested(key, example))
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`),
  ]
}

function guardedLines(gates: readonly GuardedGate[], { width }: Output): readonly string[] {
  if (gates.length === 0) return []
  return [
    '',
    ...wrap(
      'An attempt may not change these parts of your gates without your approval, nor override them by new files:',
      width,
    ),
    ...gates.flatMap(({ gate, command, parts }) => [
      ...hanging(`  ${gate}: `, command, width),
      ...(parts.length === 0
        ? ['    nothing in this repository']
        : parts.flatMap(({ what }) => hanging('    ', what, width))),
    ]),
  ]
}

/** Nests an example as it would be written in the file. */
function nested(key: string, example: unknown): unknown {
  return key.split('.').reduceRight<unknown>((inner, name) => {
    return name.endsWith('[]') ? { [name.slice(0, -2)]: [inner] } : { [name]: inner }
  }, example)
}

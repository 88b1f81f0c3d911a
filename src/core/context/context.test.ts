import { describe, expect, test } from 'vitest'
import type { ContextSettings } from '../model/settings.ts'
import { readNote } from '../reading/read-note.ts'
import { occupancy, pressureOf, tokensHeld } from './occupancy.ts'

const SETTINGS: ContextSettings = { warn: 0.7, handOff: 0.8, critical: 0.95, cap: 250_000, policy: 'hand-off' }

describe('occupancy', () => {
  test('is what the last main-loop call held: all that went in, cached or not, and nothing of the calls before', () => {
    expect(tokensHeld({ input: 50, cacheWrite: 2000, cacheRead: 50_000, output: 120 })).toBe(52_050)
  })

  test.each([
    ['the cap of a large window', 100_000, 1_000_000, { used: 100_000, size: 250_000, share: 0.4 }],
    ['the window that is smaller than the cap', 100_000, 200_000, { used: 100_000, size: 200_000, share: 0.5 }],
    ['the cap where the window is not known', 100_000, null, { used: 100_000, size: 250_000, share: 0.4 }],
    ['nothing without a usage report', null, 200_000, null],
  ])('is held against %s', (_what, used, window, held) => {
    expect(occupancy(used, window, SETTINGS)).toEqual(held)
  })
})

test.each([
  [0.69, {}, { kind: 'none' }],
  [0.7, {}, { kind: 'warn' }],
  [0.8, {}, { kind: 'hand-over', when: 'boundary' }],
  [0.95, {}, { kind: 'hand-over', when: 'now' }],
  [0.99, { handOff: 1.5 }, { kind: 'warn' }],
  [0.99, { policy: 'compact' as const }, { kind: 'warn' }],
])('a session that is %d full, with %j: %j', (share, changes, pressure) => {
  expect(pressureOf(share, { ...SETTINGS, ...changes })).toEqual(pressure)
})

const NOTE = `## Goal
Greet everybody.
## Completed
- greet.js: the function
## Remaining
1. tests
## Do not redo
- the parser
## Decisions
- no dependency`

describe('a note', () => {
  test.each([
    ['as asked for', `<hand-off>\n${NOTE}\n</hand-off>`],
    ['without the tag', NOTE],
    ['with words around the tag', `Here it is:\n<hand-off>\n${NOTE}\n</hand-off>\nGood luck!`],
    ['with a tag that is not closed', `<HAND-OFF>\n${NOTE}`],
    ['in a fence', `\`\`\`markdown\n${NOTE}\n\`\`\``],
    ['in a fence in the tag', `<hand-off>\n\`\`\`\n${NOTE}\n\`\`\`\n</hand-off>`],
    ['in a fence that is not closed', `\`\`\`\n${NOTE}`],
  ])('is whole %s', (_how, answer) => {
    expect(readNote(answer)).toEqual({ quality: 'whole', text: NOTE })
  })

  test.each([
    ['bold headings', NOTE.replaceAll(/^## (.*)$/gm, '**$1**')],
    ['headings with colons', NOTE.replaceAll(/^## (.*)$/gm, '$1:')],
    ['tags', NOTE.replaceAll(/^## (.*)$/gm, (_, name: string) => `<${name.toLowerCase().replaceAll(' ', '_')}>`)],
    ['longer names', NOTE.replace('## Completed', '### Completed work').replace('## Decisions', '### Key decisions')],
  ])('is whole with %s', (_how, answer) => {
    expect(readNote(answer).quality).toBe('whole')
  })

  test.each([
    ['a section is missing', NOTE.replace('## Decisions', '## Colours'), 'partial'],
    ['it is something else', 'I cannot do that, the goal is unclear.', 'partial'],
    ['it is empty', '<hand-off>\n \n</hand-off>', 'none'],
    ['nothing came', null, 'none'],
  ])('is not whole when %s', (_what, answer, quality) => {
    expect(readNote(answer).quality).toBe(quality)
  })

  test('that goes on for ever is cut in the middle', () => {
    const { quality, text } = readNote(`${NOTE}\n${'x'.repeat(100_000)}`)
    expect(quality).toBe('whole')
    expect(text.length).toBeLessThanOrEqual(20_000)
  })
})

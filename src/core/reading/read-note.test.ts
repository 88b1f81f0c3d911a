import { describe, expect, test } from 'vitest'
import { readNote } from './read-note.ts'

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

  test('that is too long is cut in the middle', () => {
    const { quality, text } = readNote(`${NOTE}\n${'x'.repeat(100_000)}`)
    expect(quality).toBe('whole')
    expect(text.length).toBeLessThanOrEqual(20_000)
  })
})

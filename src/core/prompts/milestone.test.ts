import { expect, test } from 'vitest'
import { cutSummary, readSummary, summaryQuestion } from './milestone.ts'

test('asks a judge to summarize a milestone', () => {
  const { system, prompt, tokensMax } = summaryQuestion('The ground', 'All that others build on.', '## State\n- fine')
  expect(tokensMax).toBe(1500)
  expect(
    `${system}\n\n----\n\n${prompt}`,
  ).toBe(`You summarize a finished milestone of a software project for the engineers who work on the next one. You get the recorded facts. Write only what follows from them: do not invent anything, and leave out what will not help the reader.

Answer with one JSON object and nothing else, in this form:
{
  "accomplished": ["what the next milestone can build on"],
  "decisions": ["what was decided and why"],
  "state": ["the current state"],
  "issues": ["what failed, was left out or is uncertain"],
  "next": ["what the next milestone has to watch out for"]
}
Write 500 to 1000 tokens in total. Lists may be empty.

----

# Milestone: The ground

All that others build on.

Recorded facts:

## State
- fine`)
})

test.each([
  ['lists', '{"accomplished": ["a", "b"], "decisions": [], "state": ["c"], "issues": [], "next": ["d"]}'],
  ['one text each, in a fence', '```json\n{"accomplished": ["a", " b "], "state": "c", "next": "d", "mood": 1}\n```'],
])('a summary with %s is read', (_, answer) => {
  expect(readSummary(answer)).toBe(
    '## Accomplished\n- a\n- b\n\n## Decisions\nNone.\n\n## State\n- c\n\n## Issues\nNone.\n\n## Next\n- d',
  )
})

test.each(['', 'All went well.', '{}', '{"accomplished": []}', '{"state": 7}', '{"accomplished": ["a'])(
  '%j is no summary',
  (answer) => {
    expect(readSummary(answer)).toBeNull()
  },
)

test('a summary of 1200 tokens stays unchanged, and a longer one is cut at the end of a line', () => {
  expect(cutSummary('x'.repeat(4800))).toBe('x'.repeat(4800))
  const cut = cutSummary(`${'line of text\n'.repeat(500)}`)
  expect(cut.length).toBeLessThanOrEqual(4800)
  expect(cut).toMatch(/line of text\n… \(cut\)$/)
})

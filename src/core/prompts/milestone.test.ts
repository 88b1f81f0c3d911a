import { expect, test } from 'vitest'
import { cutSummary, readSummary, summaryQuestion } from './milestone.ts'

test('how a judge is asked to sum up a milestone', () => {
  const { system, prompt, tokensMax } = summaryQuestion('The ground', 'All that others build on.', '## State\n- fine')
  expect(tokensMax).toBe(1500)
  expect(
    `${system}\n\n----\n\n${prompt}`,
  ).toBe(`You sum up a finished milestone of a software project for the engineers who work on the next one. You get what is recorded of it. Write only what follows from that: invent nothing, and leave out what helps nobody.

Answer with one JSON object and nothing else, in this form:
{
  "accomplished": ["what can be built on now"],
  "decisions": ["what was decided, and why"],
  "state": ["how things stand"],
  "issues": ["what failed, was left out or is doubtful"],
  "next": ["what the next milestone has to mind"]
}
Write 500 to 1000 tokens in all. A list may be empty.

----

# Milestone: The ground

All that others build on.

What is recorded of it:

## State
- fine`)
})

test.each([
  ['lists', '{"accomplished": ["a", "b"], "decisions": [], "state": ["c"], "issues": [], "next": ["d"]}'],
  ['one text each, in a fence', '```json\n{"accomplished": ["a", " b "], "state": "c", "next": "d", "mood": 1}\n```'],
])('a summary with %s is read', (_, answer) => {
  expect(readSummary(answer)).toBe(
    '## Accomplished\n- a\n- b\n\n## Decisions\nNothing.\n\n## State\n- c\n\n## Issues\nNothing.\n\n## Next\n- d',
  )
})

test.each(['', 'All went well.', '{}', '{"accomplished": []}', '{"state": 7}', '{"accomplished": ["a'])(
  '%j is no summary',
  (answer) => {
    expect(readSummary(answer)).toBeNull()
  },
)

test('a summary of 1200 tokens stays as it is, and a longer one is cut at the end of a line', () => {
  expect(cutSummary('x'.repeat(4800))).toBe('x'.repeat(4800))
  const cut = cutSummary(`${'line of text\n'.repeat(500)}`)
  expect(cut.length).toBeLessThanOrEqual(4800)
  expect(cut).toMatch(/line of text\n… the rest was cut$/)
})

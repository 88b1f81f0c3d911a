import { describe, expect, test } from 'vitest'
import { claimIn, readReport } from './read-report.ts'

const ISSUE = { severity: 'high', file: 'src/a.ts', line: 12, message: 'it is wrong' }
const fenced = (value: unknown) =>
  `Here it is:\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n<phase_complete>`

describe('a review', () => {
  test.each([
    ['in a code block', fenced({ issues: [ISSUE] })],
    ['on a separate line', `I looked.\n${JSON.stringify({ issues: [ISSUE] })}\n<phase_complete>`],
    ['alone', JSON.stringify({ issues: [ISSUE], questions: [], positives: [] })],
    ['after one that it corrects', `${fenced({ issues: [] })}\nNo:\n${fenced({ issues: [ISSUE] })}`],
    ['with braces around it', `The set {a, b} is wrong.\n${fenced({ issues: [ISSUE] })}`],
  ])('is read %s', (_, answer) => {
    expect(readReport('reviewer', answer)).toEqual({
      kind: 'review',
      review: { issues: [ISSUE], questions: [], positives: [], decision: null },
    })
  })

  test('has its decision', () => {
    const report = readReport('reviewer', fenced({ decision: 'needs-person', reason: 'two ways', issues: [] }))
    expect(report).toMatchObject({ review: { decision: { kind: 'needs-person', reason: 'two ways' } } })
  })

  test.each([
    ['nothing', ''],
    ['words', 'Looks good to me! <phase_complete>'],
    ['half of it', '```json\n{"issues": [{"severity": "high"\n```'],
    ['an unknown decision', fenced({ decision: 'maybe', issues: [] })],
    ['an unknown severity', fenced({ issues: [{ ...ISSUE, severity: 'awful' }] })],
    ['an issue without a message', fenced({ issues: [{ ...ISSUE, message: ' ' }] })],
    ['no issues at all, not even none', fenced({ decision: 'pass' })],
    ['something else', fenced([1, 2])],
  ])('is not read from %s', (_, answer) => {
    expect(readReport('reviewer', answer)).toBeNull()
  })
})

test('the outcome of QA is read, with its findings', () => {
  const issues = [{ ...ISSUE, reproduction: 'run it' }]
  const ran = { passed: 3, failed: 0, skipped: 1 }
  const written = { tests: ['a.test.ts'], ran, coverage: 0.9, documents: [], issues }
  expect(readReport('qa', fenced(written))).toEqual({ kind: 'qa', qa: written })
  expect(readReport('qa', fenced({ issues: [] }))).toEqual({
    kind: 'qa',
    qa: { tests: [], ran: null, coverage: null, documents: [], issues: [] },
  })
  expect(readReport('qa', fenced({ issues: [], ran: { passed: 'all' } }))).toBeNull()
})

test('other roles report nothing in their answers', () => {
  expect(readReport('coder', fenced({ issues: [] }))).toBeNull()
})

test.each([
  ['nothing in particular', null],
  ['', null],
  ['All done.\n<phase_complete>', { kind: 'done' }],
  ['<phase_complete/>', { kind: 'done' }],
  ['<phase_complete>true</phase_complete>', { kind: 'done' }],
  ['```\n<phase_complete />\n```', { kind: 'done' }],
  ['More to do. <phase_continue>', { kind: 'continue' }],
  ['<phase_blocked>no key for the API</phase_blocked>', { kind: 'blocked', reason: 'no key for the API' }],
  ['<phase_blocked>\n  two\nlines\n</phase_blocked>', { kind: 'blocked', reason: 'two\nlines' }],
  ['<phase_blocked>cut off in the mid', { kind: 'blocked', reason: 'cut off in the mid' }],
  ['<phase_blocked></phase_blocked>', { kind: 'blocked', reason: 'no reason was given' }],
  ['<phase_continue>\nwait, no:\n<phase_complete>', { kind: 'done' }],
  ['<phase_complete> … <phase_blocked>a test fails</phase_blocked>', { kind: 'blocked', reason: 'a test fails' }],
  ['the phase_complete tag', null],
])('%j claims %j', (text, claim) => {
  expect(claimIn(text)).toEqual(claim)
})

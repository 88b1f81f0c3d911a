import { describe, expect, test } from 'vitest'
import { rehearsedForm } from '../core/phases/rehearsal.ts'
import { answerSchema, readAnswer } from './answer-form.ts'

const ISSUE = { severity: 'high', file: 'a.ts', line: 3, message: 'it is wrong' }
const REVIEW = { issues: [ISSUE], questions: [], positives: [], decision: null }

describe('an answer in a form', () => {
  test('is read with all that may be left out', () => {
    const issues = [{ severity: 'high', file: 'a.ts', line: 3, message: 'it is wrong' }]
    expect(readAnswer('review', { status: 'done', issues })).toEqual({
      claim: { kind: 'done' },
      report: { kind: 'review', review: REVIEW },
    })
    expect(readAnswer('qa', { status: 'blocked', reason: 'No browser.', issues: [] })).toEqual({
      claim: { kind: 'blocked', reason: 'No browser.' },
      report: { kind: 'qa', qa: { tests: [], ran: null, coverage: null, documents: [], issues: [] } },
    })
  })

  test.each([
    ['without a status', { issues: [] }],
    ['with another status', { status: 'fine', issues: [] }],
    ['without issues, which does not mean that there are none', { status: 'done' }],
    ['with an unknown decision', { status: 'done', issues: [], decision: { kind: 'splendid', reason: '' } }],
    ['with an issue of unknown severity', { status: 'done', issues: [{ ...ISSUE, severity: 'dire' }] }],
    ['with an unknown key', { status: 'done', issues: [], verdict: 'pass' }],
    ['that is a text', '{"status": "done", "issues": []}'],
    ['that is null', null],
  ])('%s is not read', (_, answer) => {
    expect(readAnswer('review', answer)).toBe(null)
  })

  test('is what a rehearsal gives', () => {
    expect(readAnswer('review', rehearsedForm('reviewer'))).toMatchObject({ claim: { kind: 'done' } })
    expect(readAnswer('qa', rehearsedForm('qa'))).toMatchObject({ claim: { kind: 'done' } })
  })
})

test.each(['review', 'qa'] as const)(
  'the form for %s requires a status and issues, and allows no unknown keys',
  (form) => {
    expect(answerSchema(form)).toMatchObject({
      type: 'object',
      required: ['status', 'issues'],
      additionalProperties: false,
      properties: { status: { enum: ['done', 'continue', 'blocked'] } },
    })
    expect(answerSchema(form)).not.toHaveProperty('$schema')
  },
)

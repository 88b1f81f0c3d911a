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
    ['without issues, which is not to say that there are none', { status: 'done' }],
    ['with a decision that there is not', { status: 'done', issues: [], decision: { kind: 'splendid', reason: '' } }],
    ['with an issue of unknown severity', { status: 'done', issues: [{ ...ISSUE, severity: 'dire' }] }],
    ['with a key that the form has not', { status: 'done', issues: [], verdict: 'pass' }],
    ['that is a text', '{"status": "done", "issues": []}'],
    ['that is nothing', null],
  ])('%s is not read', (_, given) => {
    expect(readAnswer('review', given)).toBe(null)
  })

  test('is what a rehearsal gives', () => {
    expect(readAnswer('review', rehearsedForm('reviewer'))).toMatchObject({ claim: { kind: 'done' } })
    expect(readAnswer('qa', rehearsedForm('qa'))).toMatchObject({ claim: { kind: 'done' } })
  })
})

test.each(['review', 'qa'] as const)(
  'the form for %s asks for a status and issues, and for nothing it does not know',
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

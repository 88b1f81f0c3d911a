import { expect, test } from 'vitest'
import type { Opinion, OpinionDecision, Quality } from '../model/opinion.ts'
import { decideOnOpinion } from './decide-on-opinion.ts'

const GOOD: Quality = { syntax: 1, requirements: 0.7, quality: 0.9, testing: 0.8 }
const opinion = (confidence: number, quality: Partial<Quality> = {}): Opinion => ({
  quality: { ...GOOD, ...quality },
  confidence,
  findings: [],
  why: 'as it is',
})

test.each<[number, Partial<Quality>, boolean, OpinionDecision, string]>([
  [1, {}, true, 'proceed', 'the judge finds it good: as it is'],
  [0.7, {}, true, 'proceed', 'the judge finds it good: as it is'],
  [0.7, {}, false, 'proceed', 'the judge finds it good: as it is'],
  [0.699, {}, true, 'clarify', 'the judge is not confident (confidence 0.69): as it is'],
  [0.5, {}, true, 'clarify', 'the judge is not confident (confidence 0.50): as it is'],
  [0.5, { testing: 0 }, true, 'clarify', 'the judge is not confident (confidence 0.50): as it is'],
  [0.499, {}, true, 'escalate', 'the judge is unsure (confidence 0.49): as it is'],
  [0, { syntax: 0 }, true, 'escalate', 'the judge is unsure (confidence 0.00): as it is'],
  [0.9, { testing: 0.699 }, true, 'retry', 'testing 0.69 of 0.70: as it is'],
  [0.9, { syntax: 0.1, quality: 0.2 }, true, 'retry', 'syntax 0.10, quality 0.20 of 0.70: as it is'],
  [0.9, { testing: 0 }, false, 'escalate', 'testing 0.00 of 0.70, and the work cannot go back again: as it is'],
])('confidence %d with %o (may return: %s): %s', (confidence, quality, mayReturn, decision, why) => {
  expect(decideOnOpinion(opinion(confidence, quality), { qualityMin: 0.7, mayReturn })).toEqual({ decision, why })
})

test('the minimum quality is a setting', () => {
  const context = { qualityMin: 0.9, mayReturn: true }
  expect(decideOnOpinion(opinion(0.9), context)).toMatchObject({ decision: 'retry' })
  expect(decideOnOpinion(opinion(0.9), { ...context, qualityMin: 0.5 })).toMatchObject({ decision: 'proceed' })
})

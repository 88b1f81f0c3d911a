import { expect, test } from 'vitest'
import {
  checkpointed,
  given,
  opened,
  reported,
  roundEnded,
  roundStarted,
  when,
} from '../../../test/given/given-attempt.ts'
import type { AttemptSpec } from '../model/attempt.ts'
import type { AttemptEvent } from '../model/attempt-event.ts'
import type { RoundEndKind } from '../model/round.ts'
import { finding } from '../model/verdict.ts'

const RED = finding('tests', '"npm test" ended with exit code 1')

/** Returns the facts of rounds with these ends; the last one is not saved yet. */
function rounds(ends: readonly RoundEndKind[], changes: Partial<AttemptSpec> = {}): readonly AttemptEvent[] {
  return ends.flatMap((kind, index): readonly AttemptEvent[] => {
    const before: readonly AttemptEvent[] = index === 0 ? opened(changes) : [saved(index)]
    return [...before, roundStarted(index + 1), roundEnded(index + 1, kind)]
  })
}

function saved(n: number): AttemptEvent {
  return { kind: 'checkpoint-made', ...checkpointed(n) }
}

function assessments(events: readonly AttemptEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'work-assessed' ? [event.as] : []))
}

test.each([
  ['passes within its turns', ['ok'], true, []],
  ['passes with more turns', ['max-turns', 'ok'], true, ['success']],
  ['passes though all turns are used up', ['max-turns', 'max-turns'], true, ['success-with-limits']],
  ['is red when all turns are used up', ['max-turns', 'max-turns'], false, ['partial']],
  ['is red, and has turns left', ['max-turns', 'ok'], false, []],
] as const)('work that %s is assessed: %j, passed: %j', (_what, ends, passed, as) => {
  const facts = rounds(ends)
  const checkpoint = `checkpoint:${ends.length}`
  const phase = reported(given(...facts), checkpoint, { kind: 'checkpointed', ...checkpointed(ends.length) })
  const verdict = { passed, receipts: [], findings: passed ? [] : [RED] }
  const judged = reported(given(...facts, ...phase), 'checks:1', { kind: 'checked', verdict })
  expect(assessments([...phase, ...judged])).toEqual(as)
})

test('no change when all turns are used up is a failure', () => {
  const facts = given(...rounds(['max-turns', 'max-turns']))
  const events = reported(facts, 'checkpoint:2', { kind: 'checkpointed', ...checkpointed(2, 0) })
  expect(assessments(events)).toEqual(['failed'])
})

test('half and most of the allowance are reported once each', () => {
  const facts = [...opened({ allowance: { usd: 1, budget: 'task' } }), roundStarted(1)]
  const shares: number[] = []
  for (let call = 1; call <= 9; call += 1) {
    const usage = {
      session: 's',
      message: `m${call}`,
      model: 'scripted',
      scope: 'main' as const,
      hourCacheWrite: 0,
      window: null,
      tokens: { input: 20_000, cacheRead: 0, cacheWrite: 0, output: 0 },
    }
    const events = when(given(...facts), { kind: 'usage', usage })
    shares.push(...events.flatMap((event) => (event.kind === 'allowance-crossed' ? [event.share] : [])))
    facts.push(...events)
  }
  expect(shares).toEqual([0.5, 0.8])
})

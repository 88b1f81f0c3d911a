import { expect, test } from 'vitest'
import { problem } from '../../core/model/problem.ts'
import type { ProblemCode } from '../../core/model/problem-codes.ts'
import type { RunCondition } from '../../core/run/run-condition.ts'
import { newRun } from '../../core/run/state.ts'
import type { EngineEnd } from '../../engine/run-engine.ts'
import { exitCodeOf } from './exit-codes.ts'

const ended = (condition: RunCondition): EngineEnd => ({ kind: 'settled', condition })
const halted = (code: ProblemCode): EngineEnd => {
  return { kind: 'halted', problem: problem({ code, message: '', hint: '', retry: 'later' }) }
}

test.each([
  ['everything is done', ended({ kind: 'ended' }), {}, 0],
  ['a task was reverted', ended({ kind: 'ended' }), { reverted: 1 }, 0],
  ['a task failed', ended({ kind: 'ended' }), { failed: 1 }, 1],
  ['a task is blocked', ended({ kind: 'ended' }), { blocked: 1 }, 1],
  ['there is nothing to do', ended({ kind: 'empty' }), {}, 2],
  ['a person is needed, and a task failed too', ended({ kind: 'waiting', for: [] }), { failed: 1 }, 3],
  ['the disk is full', halted('disk-full'), {}, 3],
  ['a fact is damaged', halted('state-damaged'), {}, 2],
  ['it is parked, and a task failed too', ended({ kind: 'parked', until: 1 }), { failed: 1 }, 75],
  ['it was stopped, and a task failed too', { kind: 'stopped' } as const, { failed: 1 }, 130],
  ['another engine took over', halted('not-the-writer'), {}, 1],
])('%s', (_, end, counts, code) => {
  expect(exitCodeOf(end, { counts: { ...newRun().counts, ...counts } })).toBe(code)
})

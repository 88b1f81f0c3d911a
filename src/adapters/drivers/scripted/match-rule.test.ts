import { describe, expect, test } from 'vitest'
import { stepsFor } from './match-rule.ts'
import type { ScriptRule } from './parse-script.ts'
import type { ScriptStep } from './step.ts'

const ROUND = { task: 't1', attempt: 2, phase: 'implement', role: 'coder' as const, round: 3 }

test.each([
  ['review', 'reviewer', 'pass'],
  ['qa', 'qa', 'issues'],
  ['spec', 'planner', 'brief'],
  ['document', 'coder', 'Nothing'],
] as const)('in %s an agent without a rule for it lets the work pass', (phase, role, word) => {
  const steps = stepsFor([rule({}, 'never')], { ...ROUND, phase, role })
  expect(steps).toMatchObject([
    { kind: 'say', text: expect.stringContaining(word) },
    { kind: 'report', claim: 'done' },
  ])
})

describe('a rule', () => {
  test.each([
    ['t1', true],
    ['t*', true],
    ['*', true],
    ['**', true],
    ['t?', true],
    ['t1*', true],
    ['*1', true],
    ['t', false],
    ['1', false],
    ['T1', false],
    ['t??', false],
    ['t.', false],
    ['[t]1', false],
    ['t1|x', false],
  ])('for task %s matches t1: %s', (task, isFor) => {
    expect(stepsFor([rule({ task })], ROUND) !== null).toBe(isFor)
  })

  test.each(['a.b', 'a-b', 'a_b', '..'])('finds the id %s by its own name', (task) => {
    expect(stepsFor([rule({ task })], { ...ROUND, task })).toEqual([])
    expect(stepsFor([rule({ task: 'a.b' })], { ...ROUND, task: 'axb' })).toBeNull()
  })

  test.each([
    [{ phase: 'implement' }, true],
    [{ phase: 'verify' }, false],
    [{ round: 3 }, true],
    [{ round: 1 }, false],
    [{ attempt: 2 }, true],
    [{ attempt: 1 }, false],
    [{ phase: 'implement', round: 3, attempt: 2 }, true],
    [{ phase: 'implement', round: 3, attempt: 1 }, false],
  ])('with %j matches attempt 2, implement, round 3: %s', (given, isFor) => {
    expect(stepsFor([rule(given)], ROUND) !== null).toBe(isFor)
  })

  test('wins when it is the first that matches the round', () => {
    const rules = [rule({ attempt: 1 }, 'a'), rule({ task: 't*' }, 'b'), rule({}, 'c')]
    expect(stepsFor(rules, ROUND)).toEqual([{ kind: 'say', text: 'b' }])
    expect(stepsFor(rules.slice(0, 1), ROUND)).toBeNull()
  })

  test('has the round filled in wherever it says so, and leaves the shell its own braces', () => {
    const steps: ScriptStep[] = [
      { kind: 'say', text: '{task} {task} {attempt} {round} {title} {' },
      { kind: 'write', path: '{task}/{round}.txt', text: 'by {attempt}' },
      { kind: 'delete', path: '{task}.old' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what a shell script says
      { kind: 'run', command: "echo {task} ${task} | awk '{print}'" },
      { kind: 'hang' },
    ]
    expect(stepsFor([{ ...rule({}), steps }], ROUND)).toEqual([
      { kind: 'say', text: 't1 t1 2 3 {title} {' },
      { kind: 'write', path: 't1/3.txt', text: 'by 2' },
      { kind: 'delete', path: 't1.old' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what a shell script says
      { kind: 'run', command: "echo t1 ${task} | awk '{print}'" },
      { kind: 'hang' },
    ])
  })
})

function rule(given: Partial<ScriptRule>, say?: string): ScriptRule {
  const steps: ScriptStep[] = say === undefined ? [] : [{ kind: 'say', text: say }]
  return { task: '*', phase: null, round: null, attempt: null, steps, ...given }
}

import { describe, expect, test } from 'vitest'
import { problem } from '../../../core/model/problem.ts'
import { parseScript } from './parse-script.ts'

describe('a script', () => {
  test('has rules with steps of every kind', () => {
    const script = `
      - task: "t*"
        phase: verify
        round: 2
        attempt: 3
        steps:
          - say: hello
          - write: { path: a/b.txt, text: "x\\n" }
          - delete: c
          - run: npm test
          - wait: 0.5
          - usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, window: 200000 }
          - usage: {}
          - { report: blocked, reason: no key }
          - report: done
          - end: overloaded
          - hang: true
      - { task: b, steps: [] }`
    expect(parseScript('s.yaml', script)).toEqual([
      {
        task: 't*',
        phase: 'verify',
        round: 2,
        attempt: 3,
        steps: [
          { kind: 'say', text: 'hello' },
          { kind: 'write', path: 'a/b.txt', text: 'x\n' },
          { kind: 'delete', path: 'c' },
          { kind: 'run', command: 'npm test' },
          { kind: 'wait', ms: 500 },
          { kind: 'usage', tokens: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 }, window: 200_000 },
          { kind: 'usage', tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }, window: null },
          { kind: 'report', claim: 'blocked', reason: 'no key' },
          { kind: 'report', claim: 'done', reason: '' },
          { kind: 'end', as: 'overloaded', reset: null },
          { kind: 'hang' },
        ],
      },
      { task: 'b', phase: null, round: null, attempt: null, steps: [] },
    ])
  })

  test('may be JSON', () => {
    const script = '[\n\t{ "task": "a", "steps": [ { "say": "\\u00e4" } ] }\n]\n'
    expect(parseScript('s.json', script)).toEqual([
      { task: 'a', phase: null, round: null, attempt: null, steps: [{ kind: 'say', text: 'ä' }] },
    ])
  })

  test.each([
    ['2030-03-17T17:46:40Z', { kind: 'at', at: 1_900_000_000_000 }],
    ['2030-03-17T18:46:40+01:00', { kind: 'at', at: 1_900_000_000_000 }],
    ['1900000000', { kind: 'at', at: 1_900_000_000_000 }],
    ['"1900000000"', { kind: 'at', at: 1_900_000_000_000 }],
    ['"+5"', { kind: 'after', ms: 5_000 }],
    ['"+0.5"', { kind: 'after', ms: 500 }],
  ])('may say that a limit ends at %s', (resetAt, reset) => {
    expect(parseScript('s.yaml', `- { task: a, steps: [ { end: rate-limited, resetAt: ${resetAt} } ] }`)).toMatchObject(
      [{ steps: [{ kind: 'end', as: 'rate-limited', reset }] }],
    )
  })
})

describe('a wrong script is refused', () => {
  const UNRESOLVED = 'ReferenceError: Unresolved alias (the anchor must be set before the alias)'
  const NO_RULES = 'a script is a list of rules. Write at least one: - { task: "*", steps: [ { report: done } ] }'
  const STEPS = 'Steps are say, write, delete, run, wait, usage, report, end, note, hang.'
  const ENDS =
    'ok, rate-limited, overloaded, auth, context-exhausted, max-turns, budget, timeout, cancelled, crashed, refused, truncated, config, unknown'
  const RESET = 'an ISO time, epoch seconds or "+SECONDS"'

  test.each([
    ['', [`s.yaml:1: ${NO_RULES}`]],
    ['# nothing\n', [`s.yaml:1: ${NO_RULES}`]],
    ['[]', [`s.yaml:1: ${NO_RULES}`]],
    ['# a rule alone\ntask: a\nsteps: []', [`s.yaml:2: ${NO_RULES}`]],
    ['- 1', ['s.yaml:1: rule 1 must be a map of keys; got 1.']],
    ['- task: a\n  task: b', ['s.yaml:2: not valid YAML: Map keys must be unique. Remove one of them.']],
    ['- task: a\n  steps: []\n- *b', [`s.yaml:1: ${UNRESOLVED}: b Write the rules out.`]],
    [
      '- taks: a\n  steps: []',
      [
        's.yaml:1: "task" of rule 1 is missing; it must be text. Add the key "task".',
        's.yaml:1: unknown key "taks" in rule 1. Write "task" instead.',
      ],
    ],
    ['- task: a', ['s.yaml:1: "steps" of rule 1 is missing; it must be a list of steps. Add the key "steps".']],
    [
      '- task: 5\n  phase: 1\n  round: 0\n  attempt: 1.5\n  steps: []',
      [
        's.yaml:1: "task" of rule 1 must be text; got 5. Put it in quotes: "5".',
        's.yaml:2: "phase" of rule 1 must be the name of a phase; got 1.',
        's.yaml:3: "round" of rule 1 must be 1 or more; got 0.',
        's.yaml:4: "attempt" of rule 1 must be a whole number; got 1.5.',
      ],
    ],
    [
      '- task: a\n  steps:\n  - wirte: {}\n  - 5\n  - {}',
      [
        's.yaml:3: step 1 of rule 1 is not a step: there is no "wirte". Write "write" instead.',
        `s.yaml:4: step 2 of rule 1 is not a step. ${STEPS}`,
        `s.yaml:5: step 3 of rule 1 is not a step. ${STEPS}`,
      ],
    ],
    ...[
      ['{ say: a, run: b }', 'unknown key "run" in step 1 of rule 1. Known keys: say.'],
      ['{ write: a.txt }', '"write" of step 1 of rule 1 must be a map of keys; got "a.txt".'],
      ['{ write: { path: "", text: a } }', '"write.path" of step 1 of rule 1 must be text that is not empty; got "".'],
      [
        '{ write: { path: a, text: b, mode: c } }',
        'unknown key "mode" in "write" of step 1 of rule 1. Known keys: path, text.',
      ],
      ['{ wait: five }', '"wait" of step 1 of rule 1 must be a number of seconds; got "five".'],
      ['{ wait: -1 }', '"wait" of step 1 of rule 1 must be 0 or more; got -1.'],
      ['{ wait: 1e7 }', '"wait" of step 1 of rule 1 must be 1000000 seconds or less; got 10000000.'],
      [
        '{ usage: { cacheread: 5 } }',
        'unknown key "cacheread" in "usage" of step 1 of rule 1. Write "cacheRead" instead.',
      ],
      ['{ report: finished }', '"report" of step 1 of rule 1 must be one of done, blocked, continue; got "finished".'],
      ['{ report: done, raison: x }', 'unknown key "raison" in step 1 of rule 1. Write "reason" instead.'],
      [
        '{ end: rate-limit }',
        `"end" of step 1 of rule 1 must be one of ${ENDS}; got "rate-limit". Write "rate-limited" instead.`,
      ],
      ['{ end: ok, resetAt: May }', `"resetAt" of step 1 of rule 1 must be ${RESET}; got "May".`],
      ['{ end: ok, resetAt: 1900000000000 }', `"resetAt" of step 1 of rule 1 must be ${RESET}; got 1900000000000.`],
      ['{ hang: false }', '"hang" of step 1 of rule 1 must be true; got false.'],
    ].map(([step, text]) => [`- task: a\n  steps:\n  - ${step}`, [`s.yaml:3: ${text}`]] as const),
  ] as const)('%j', (script, lines) => {
    expect(parseScript('s.yaml', script)).toEqual(
      problem({
        code: 'script-wrong',
        message: lines.join('\n'),
        hint: 'Correct the script s.yaml and start again.',
        retry: 'never',
      }),
    )
  })
})

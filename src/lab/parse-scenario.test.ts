import { expect, test } from 'vitest'
import { parseScenario } from './parse-scenario.ts'

test('optional keys get their defaults', () => {
  expect(parseScenario('s.yaml', 'rules: [ { steps: [ { report: done } ] } ]')).toEqual({
    usage: null,
    rules: [
      {
        task: null,
        phase: null,
        attempt: null,
        session: null,
        round: null,
        match: null,
        from: 'agent',
        steps: [{ act: { kind: 'report', claim: 'done', reason: '' }, usage: null, fault: null }],
      },
    ],
  })
})

test('a step may have usage and a fault', () => {
  const text = `
usage: { input: 1 }
rules:
  - task: "t*"
    attempt: 2
    session: 3
    round: 4
    match: hand-off
    from: subagent
    steps:
      - write: { path: a.txt, text: a }
        usage: { cacheRead: 5 }
        fault: { status: 429, retryAfter: 1.5, times: 2 }
      - { call: report, input: { done: true }, fault: { limit: "+3" } }
`
  expect(parseScenario('s.yaml', text)).toEqual({
    usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 0 },
    rules: [
      {
        task: 't*',
        phase: null,
        attempt: 2,
        session: 3,
        round: 4,
        match: 'hand-off',
        from: 'subagent',
        steps: [
          {
            act: { kind: 'write', path: 'a.txt', text: 'a' },
            usage: { input: 0, cacheRead: 5, cacheWrite: 0, output: 0 },
            fault: { fault: { kind: 'status', status: 429, retryAfterS: 1.5, message: null }, times: 2 },
          },
          {
            act: { kind: 'call', tool: 'report', input: { done: true } },
            usage: null,
            fault: { fault: { kind: 'limit', reset: { kind: 'after', ms: 3000 } }, times: null },
          },
        ],
      },
    ],
  })
})

const FAULTS: readonly (readonly [text: string, complaint: string])[] = [
  ['rules: [', 's.yaml:1: not valid YAML'],
  ['- task: a', 's.yaml:1: the scenario must be a map with the key "rules"; got a list.'],
  ['rules: []', 's.yaml:1: "rules" of the scenario must be a list of rules; got a list.'],
  ['rule: [ { steps: [] } ]', 's.yaml:1: unknown key "rule" in the scenario. Write "rules" instead.'],
  ['rules:\n  - taks: a\n    steps: []', 's.yaml:2: unknown key "taks" in rule 1. Write "task" instead.'],
  ['rules:\n  - task: a', 's.yaml:2: "steps" of rule 1 is missing; it must be a list of steps.'],
  [
    'rules:\n  - from: subagnet\n    steps: []',
    's.yaml:2: "from" of rule 1 must be one of agent, subagent, side; got "subagnet". Write "subagent" instead.',
  ],
  [
    'rules:\n  - steps:\n      - wriet: a',
    's.yaml:3: step 1 of rule 1 is not a step: there is no "wriet". Write "write" instead.',
  ],
  ['rules:\n  - steps: [ later ]', 's.yaml:2: step 1 of rule 1 is not a step.'],
  [
    'rules:\n  - steps:\n      - write: { path: a, txt: b }',
    's.yaml:3: unknown key "txt" in "write" of step 1 of rule 1. Write "text" instead.',
  ],
  [
    'rules:\n  - steps:\n      - run: ls\n        usge: {}',
    's.yaml:4: unknown key "usge" in step 1 of rule 1. Write "usage" instead.',
  ],
  [
    'rules:\n  - steps:\n      - run: ls\n        usage: { inputs: 1 }',
    's.yaml:4: unknown key "inputs" in "usage" of step 1 of rule 1. Write "input" instead.',
  ],
  [
    'rules:\n  - steps:\n      - run: ls\n        fault: { statsu: 429 }',
    's.yaml:4: "fault" of step 1 of rule 1 is not a fault: there is no "statsu". Write "status" instead.',
  ],
  [
    'rules:\n  - steps:\n      - run: ls\n        fault: { status: 200 }',
    's.yaml:4: "status" of "fault" of step 1 of rule 1 must be a status of 400 to 599; got 200.',
  ],
  [
    'rules:\n  - steps:\n      - run: ls\n        fault: { cut: true, times: 0 }',
    's.yaml:4: "times" of "fault" of step 1 of rule 1 must be 1 or more; got 0.',
  ],
  ['rules:\n  - steps:\n      - run: ls\n        fault: cut', 's.yaml:4: "fault" of step 1 of rule 1 is not a fault.'],
  [
    'rules:\n  - steps:\n      - run: ls\n        fault: { limit: soon }',
    's.yaml:4: "limit" of "fault" of step 1 of rule 1 must be an ISO time, epoch seconds or "+SECONDS"; got "soon".',
  ],
  [
    'rules:\n  - steps:\n      - report: done\n      - run: ls',
    's.yaml:3: step 1 of rule 1 is a report, and more steps follow.',
  ],
  ['rules: *none', 's.yaml:1: '],
]

test.each(FAULTS)('%j is refused with its line', (text, complaint) => {
  const refused = parseScenario('s.yaml', text)
  expect(refused).toMatchObject({
    kind: 'problem',
    code: 'scenario-wrong',
    hint: 'Correct the scenario s.yaml and start again.',
  })
  expect(refused).toMatchObject({ message: expect.stringContaining(complaint) })
})

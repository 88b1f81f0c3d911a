import { expect, test } from 'vitest'
import type { AttemptSpec } from '../../src/core/model/attempt.ts'
import type { RoundCause } from '../../src/core/model/attempt-event.ts'
import type { Commit } from '../../src/core/model/ids.ts'
import { type Finding, finding } from '../../src/core/model/verdict.ts'
import type { PhaseSpec, Workflow } from '../../src/core/model/workflow.ts'
import { roleOfPhase } from '../../src/core/phases/roles.ts'
import { phaseOf } from '../../src/core/phases/workflows.ts'
import { retryBrief } from '../../src/core/prompts/retry-brief.ts'
import { continuePrompt, openingPrompt, type Situation } from '../../src/core/prompts/round-prompts.ts'
import { withToolInstructions } from '../../src/core/prompts/tool-instructions.ts'
import { toolsOf } from '../../src/core/tools/tools-of.ts'
import { spec } from '../given/given-attempt.ts'
import { givenTask } from '../given/given-run.ts'

const NAMES = ['plan', 'spec', 'implement', 'verify', 'review', 'qa', 'document']
const WORKFLOW: Workflow = { session: 'phase', commit: 'phase', rounds: 20, phases: NAMES.map(phase) }
const TASK = givenTask('greet', [], {
  title: 'A function that greets',
  brief: 'Add greet(name) in src/greet.js.',
  acceptance: ['greet("Ada") is "Hello, Ada!"'],
  verify: ['node --test'],
})
const RED: readonly Finding[] = [
  finding('tests', '"npm test" ended with exit code 1: 141 passed, 2 failed (vitest)', {
    excerpt: 'FAIL src/greet.test.js\n  expected "Hello" to be "Hello!"',
    outputFile: '.longhaul/checks/tests.txt',
  }),
  finding('tests', 'shouts: expected "HELLO" to be "HELLO!"', { file: 'src/greet.test.js', line: 19 }),
  finding('tests', 'greets: expected "Hello" to be "Hello!"', { file: 'src/greet.test.js', line: 4 }),
]
const REVIEWED: readonly Finding[] = [
  finding('review', 'a name of several words is cut', { severity: 'high', file: 'src/greet.js', line: 12 }),
  finding('review', 'the default is written twice', { severity: 'medium', file: 'src/greet.js', line: 3 }),
  finding('review', 'nothing is said of this in the README', { severity: 'medium' }),
]
const RETRIED = retryBrief(
  {
    attempt: 'greet-a1',
    phase: 'verify',
    reason: 'came back 3 times already',
    note: 'a1'.repeat(32),
    findings: [...RED, ...REVIEWED],
  },
  [{ kind: 'rejected', text: 'Use template strings.' }],
)

test.each(NAMES.filter((name) => name !== 'verify'))('the first prompt of %s', async (name) => {
  const opening = withToolInstructions(
    openingPrompt(situation(name, { kind: 'brief' })),
    toolsOf(phaseOf(WORKFLOW, name).role, null),
  )
  await expect(opening).toMatchFileSnapshot(`outputs/prompts/${name}.txt`)
})

test('the first prompt of an attempt after a failed one', async () => {
  const prompt = openingPrompt(situation('implement', { kind: 'brief' }, { retryBrief: RETRIED }))
  await expect(prompt).toMatchFileSnapshot('outputs/prompts/implement-again.txt')
})

test('the first prompt when a command of verify passes before the work', async () => {
  const prompt = openingPrompt({ ...situation('implement', { kind: 'brief' }), alreadyGreen: TASK.verify })
  await expect(prompt).toMatchFileSnapshot('outputs/prompts/implement-already-green.txt')
})

test.each<[string, RoundCause]>([
  ['checks', { kind: 'findings', from: 'verify', findings: RED }],
  ['a-review', { kind: 'findings', from: 'review', findings: REVIEWED }],
  ['a-person', { kind: 'findings', from: 'review', findings: [finding('person', 'Use template strings.')] }],
  ['lost', { kind: 'lost' }],
  ['answered', { kind: 'answer', text: 'Port 8080.' }],
])('the next prompt of a session after: %s', async (name, cause) => {
  await expect(continuePrompt(situation('implement', cause))).toMatchFileSnapshot(`outputs/prompts/after-${name}.txt`)
})

test('the prompt for the decision of a review', async () => {
  const issue = { severity: 'high' as const, file: 'src/greet.js', line: 12, message: 'a name of several words is cut' }
  const review = { issues: [issue], questions: [], positives: [], decision: null }
  await expect(continuePrompt({ ...situation('review', { kind: 'decide' }), review })).toMatchFileSnapshot(
    'outputs/prompts/decide.txt',
  )
})

function situation(name: string, cause: RoundCause, changes: Partial<AttemptSpec> = {}): Situation {
  return {
    spec: spec({ workflow: WORKFLOW, tasks: [TASK], ...changes }),
    phase: name,
    phaseRounds: { [name]: 1 },
    cause,
    commit: 'c1' as Commit,
    alreadyGreen: [],
    findings: [],
    receipts: [],
    handOff: null,
    outputs: new Map(),
    review: null,
  }
}

function phase(name: string): PhaseSpec {
  const by = name === 'verify' ? 'script' : 'agent'
  return {
    name,
    by,
    role: roleOfPhase({ name }),
    driver: null,
    model: null,
    prompt: null,
    rounds: null,
    gates: by === 'script' ? 'all' : [],
    backTo: 'implement',
  } as PhaseSpec
}

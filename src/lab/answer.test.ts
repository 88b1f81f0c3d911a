import { expect, test } from 'vitest'
import type { Problem } from '../core/model/problem.ts'
import { answerTo } from './answer.ts'
import type { Ask, Entry } from './dialect.ts'
import { LabMemory } from './memory.ts'
import { parseScenario } from './parse-scenario.ts'
import type { Scenario } from './scenario.ts'

const SCENARIO = scenario(`
rules:
  - match: write the note
    steps: [ { say: a note } ]
  - from: side
    match: summary
    steps: [ { say: a summary } ]
  - from: subagent
    steps: [ { run: "echo sub" }, { say: sub done } ]
  - task: greet
    attempt: 2
    steps: [ { say: "second try of {task}, round {round}" } ]
  - task: greet
    session: 2
    steps: [ { say: "session {session} of \${task}" } ]
  - task: "gr*"
    steps:
      - say: I begin.
      - write: { path: "{task}.txt", text: hello }
      - call: report
        input: { done: true }
      - run: cat greet.txt
      - report: done
        reason: Greeted.
`)

test('steps follow one another by the results of their tools', () => {
  const memory = new LabMemory()
  const seen: unknown[] = []
  let history: readonly Entry[] = [brief()]
  for (let turn = 0; turn < 4; turn++) {
    const { rule, step, reply } = answerTo(ask({ history }), SCENARIO, '', memory, 0)
    const message = reply.kind === 'message' ? reply.message : null
    seen.push([rule, step, message?.text, message?.call?.tool ?? null])
    const call = message?.call
    if (call) history = [...history, called(call.id, call.tool, call.input), returned(call.id, 'fine')]
  }
  expect(seen).toEqual([
    [6, 2, 'I begin.', 'Write'],
    [6, 3, '', 'mcp__longhaul__report'],
    [6, 4, '', 'Bash'],
    [6, 5, 'Greeted.\n<phase_complete>', null],
  ])
})

const WRITTEN = [called('w', 'Write', {}), returned('w', 'written')]

const CASES: readonly (readonly [what: string, given: Partial<Ask>, answer: string])[] = [
  [
    'a file is written below the folder of the agent',
    {},
    'Write {"file_path":"/home/ada/greet.txt","content":"hello"}',
  ],
  [
    'a refused tool is a step that is over',
    { history: [brief(), called('w', 'Write', {}), returned('w', 'Denied.', true)] },
    'mcp__longhaul__report {"done":true}',
  ],
  [
    'a deferred tool is searched for',
    { history: [brief(), ...WRITTEN], tools: tools('Write', 'Bash', 'ToolSearch', '(mcp__longhaul__report)') },
    'ToolSearch {"query":"select:mcp__longhaul__report","max_results":1}',
  ],
  [
    'and then called',
    {
      history: [
        brief(),
        ...WRITTEN,
        called('s', 'ToolSearch', { query: 'select:mcp__longhaul__report' }),
        returned('s', ''),
      ],
      tools: tools('Write', 'Bash', 'ToolSearch', '(mcp__longhaul__report)'),
    },
    'mcp__longhaul__report {"done":true}',
  ],
  ['another prompt begins anew', { history: [brief(), ...WRITTEN, prompt('Now write the note.')] }, 'said "a note"'],
  [
    'a remark without a rule changes nothing',
    { history: [brief(), ...WRITTEN, remark('hurry up')] },
    'mcp__longhaul__report {"done":true}',
  ],
  ['a remark with a rule takes over', { history: [brief(), ...WRITTEN, remark('write the note')] }, 'said "a note"'],
  ['the attempt is read from the folder', { folder: '/state/greet-a2/tree' }, 'said "second try of greet, round 1"'],
  [
    'so is the task',
    { folder: '/state/grow-a1/tree', history: [prompt('Go on.')] },
    'Write {"file_path":"/state/grow-a1/tree/grow.txt","content":"h',
  ],
  [
    'a subagent has rules of its own',
    { from: 'subagent' },
    'Bash {"command":"echo sub","description":"As the scenario says"}',
  ],
  ['a side call has rules of its own', { from: 'side', history: [prompt('A summary, please.')] }, 'said "a summary"'],
  ['and gets a short answer without', { from: 'side', tools: [] }, 'a side call'],
  ['no rule fits', { history: [prompt('Hello.')] }, 'no rule fits'],
  ['the agent has no such tool', { tools: tools('Read') }, 'no tool to write with'],
]

test.each(CASES)('%s', (_, given, answer) => {
  const { told } = answerTo(ask(given), SCENARIO, '', new LabMemory(), 0)
  expect(told.slice(0, answer.length)).toBe(answer)
})

test('the second session of a task is known as such, and another run begins anew', () => {
  const memory = new LabMemory()
  const told = (session: string, run: string) => answerTo(ask({ session }), SCENARIO, run, memory, 0).told
  expect(told('one', 'a')).toMatch(/^Write /)
  expect(told('two', 'a')).toMatch(/^said "session 2 of [$]{task}"$/)
  expect(told('one', 'a')).toMatch(/^Write /)
  expect(told('two', 'b')).toMatch(/^Write /)
})

test('after a compaction the script goes on, also in the rounds that follow', () => {
  const memory = new LabMemory()
  const told = (history: readonly Entry[], from: Ask['from'] = 'agent') => {
    return answerTo(ask({ history, from }), SCENARIO, '', memory, 0).told
  }
  expect(told([brief()])).toMatch(/^Write /)
  expect(told([brief(), ...WRITTEN, prompt('Sum it up.')], 'side')).toBe('a side call')
  const summary: Entry = { kind: 'compacted', summary: 'Noted.' }
  expect(told([summary])).toMatch(/^mcp__longhaul__report /)
  expect(told([summary, ...WRITTEN])).toMatch(/^mcp__longhaul__report /)
  const reported = [called('m', 'mcp__longhaul__report', {}), returned('m', '')]
  expect(told([summary, ...reported])).toMatch(/^Bash /)
  expect(told([summary, ...reported, prompt('Go on.')])).toMatch(/^Write /)
})

test('a second compaction with the same summary goes on where the second was', () => {
  const memory = new LabMemory()
  const told = (history: readonly Entry[], from: Ask['from'] = 'agent') => {
    return answerTo(ask({ history, from }), SCENARIO, '', memory, 0).told
  }
  const summary: Entry = { kind: 'compacted', summary: 'Noted.' }
  const reported = [called('m', 'mcp__longhaul__report', {}), returned('m', '')]
  told([brief()])
  told([brief(), ...WRITTEN, prompt('Sum it up.')], 'side')
  expect(told([summary])).toMatch(/^mcp__longhaul__report /)
  told([summary, ...reported, prompt('Sum it up.')], 'side')
  expect(told([summary])).toMatch(/^Bash /)
})

test('compactions that nothing new precedes, all with the same summary, go on as well', () => {
  const memory = new LabMemory()
  const steps = ['a', 'b', 'c', 'd', 'e'].map((name) => `{ run: ${name} }`).join(', ')
  const long = scenario(`rules: [ { steps: [ ${steps} ] } ]`)
  const told = (history: readonly Entry[], from: Ask['from'] = 'agent') => {
    return answerTo(ask({ history, from }), long, '', memory, 0).told
  }
  const ran = (id: string) => [called(id, 'Bash', {}), returned(id, '')]
  const summary: Entry = { kind: 'compacted', summary: 'Noted.' }
  expect(told([prompt('Go.')])).toContain('"a"')
  expect(told([prompt('Go.'), ...ran('1')])).toContain('"b"')
  told([prompt('Go.'), ...ran('1'), prompt('Sum it up.')], 'side')
  expect(told([summary, ...ran('2')])).toContain('"c"')
  expect(told([summary, ...ran('2'), ...ran('3')])).toContain('"d"')
  told([summary, ...ran('2'), ...ran('3'), prompt('Sum it up.')], 'side')
  expect(told([summary, ...ran('4')])).toContain('"e"')
})

test('a fault strikes as often as it says, for each task apart', () => {
  const flaky = scenario('rules: [ { steps: [ { say: end, fault: { status: 529, times: 2 } } ] } ]')
  const memory = new LabMemory()
  const told = (folder: string) => answerTo(ask({ folder, history: [prompt('Go.')] }), flaky, '', memory, 0).told
  expect(['/a-a1', '/a-a1', '/b-a1', '/a-a1', '/b-a1', '/b-a1'].map(told)).toEqual([
    'status 529',
    'status 529',
    'status 529',
    'said "end"',
    'status 529',
    'said "end"',
  ])
})

test('a limit is over at its time, counted from when it was first met', () => {
  const limited = scenario('rules: [ { steps: [ { say: end, fault: { limit: "+10" } } ] } ]')
  const memory = new LabMemory()
  const at = (now: number) => answerTo(ask({}), limited, '', memory, now).reply
  expect(at(5_000)).toEqual({ kind: 'failure', failure: { kind: 'limit', resetAt: 15_000, now: 5_000 } })
  expect(at(14_999)).toEqual({ kind: 'failure', failure: { kind: 'limit', resetAt: 15_000, now: 14_999 } })
  expect(at(15_000)).toMatchObject({ kind: 'message' })
})

test('usage is what the step says, then what the scenario says, then estimated; or none', () => {
  const steps = 'steps: [ { run: ls, usage: { cacheRead: 5 } }, { say: end } ]'
  const usage = (text: string, history: readonly Entry[]) => {
    const { reply } = answerTo(ask({ history }), scenario(text), '', new LabMemory(), 0)
    return reply.kind === 'message' ? reply.message.usage : null
  }
  const later = [brief(), called('l', 'Bash', {}), returned('l', '')]
  const told = { input: 0, cacheRead: 5, cacheWrite: 0, output: 0 }
  expect(usage(`rules: [ { ${steps} } ]`, [brief()])).toEqual(told)
  expect(usage(`{ usage: { input: 7 }, rules: [ { ${steps} } ] }`, later)).toEqual({ ...told, input: 7, cacheRead: 0 })
  expect(usage('{ usage: { input: 7 }, rules: [ { steps: [ { run: ls, usage: none } ] } ] }', [brief()])).toBeNull()
  expect(usage(`rules: [ { ${steps} } ]`, later)).toEqual({ input: 30, cacheRead: 1000, cacheWrite: 0, output: 2 })
})

function brief(): Entry {
  return prompt('# greet: Greet the world\n\nWrite a greeting.')
}

function prompt(text: string): Entry {
  return { kind: 'prompt', text }
}

function remark(text: string): Entry {
  return { kind: 'remark', text }
}

function called(id: string, tool: string, input: unknown): Entry {
  return { kind: 'called', id, tool, input }
}

function returned(id: string, text: string, isError = false): Entry {
  return { kind: 'returned', id, text, isError }
}

/** Tools by name; those in parentheses are deferred. */
function tools(...names: readonly string[]): Ask['tools'] {
  return names.map((name) => ({ name: name.replaceAll(/[()]/g, ''), isDeferred: name.startsWith('(') }))
}

function ask(given: Partial<Ask>): Ask {
  return {
    kind: 'turn',
    model: 'm',
    isStream: true,
    session: 'one',
    subagent: null,
    folder: '/home/ada',
    from: 'agent',
    tools: tools('Write', 'Read', 'Bash', 'mcp__longhaul__report'),
    history: [brief()],
    tokens: { last: 30, before: 1000 },
    ...given,
  }
}

function scenario(text: string): Scenario {
  const parsed: Scenario | Problem = parseScenario('s.yaml', text)
  if ('kind' in parsed) throw new Error(parsed.message)
  return parsed
}

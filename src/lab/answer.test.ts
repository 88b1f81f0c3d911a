import { expect, test } from 'vitest'
import type { Problem } from '../core/model/problem.ts'
import { answerTo } from './answer.ts'
import type { HistoryEntry, ModelRequest } from './dialect.ts'
import { LabMemory } from './lab-memory.ts'
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

test('the next step follows when the tool of a step has returned', () => {
  const memory = new LabMemory()
  const seen: unknown[] = []
  let history: readonly HistoryEntry[] = [brief()]
  for (let turn = 0; turn < 4; turn++) {
    const { rule, step, reply } = answerTo(request({ history }), SCENARIO, '', memory, 0)
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

const CASES: readonly (readonly [what: string, options: Partial<ModelRequest>, answer: string])[] = [
  [
    'a file is written below the folder of the agent',
    {},
    'Write {"file_path":"/home/ada/greet.txt","content":"hello"}',
  ],
  [
    'a refused tool call completes its step',
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
  ['another prompt starts again', { history: [brief(), ...WRITTEN, prompt('Now write the note.')] }, 'said "a note"'],
  [
    'a remark without a rule changes nothing',
    { history: [brief(), ...WRITTEN, remark('hurry up')] },
    'mcp__longhaul__report {"done":true}',
  ],
  [
    'a remark with a rule is answered by it',
    { history: [brief(), ...WRITTEN, remark('write the note')] },
    'said "a note"',
  ],
  ['the attempt is read from the folder', { folder: '/state/greet-a2/tree' }, 'said "second try of greet, round 1"'],
  [
    'so is the task',
    { folder: '/state/grow-a1/tree', history: [prompt('Go on.')] },
    'Write {"file_path":"/state/grow-a1/tree/grow.txt","content":"h',
  ],
  [
    'a subagent has separate rules',
    { from: 'subagent' },
    'Bash {"command":"echo sub","description":"As the scenario says"}',
  ],
  ['a side call has separate rules', { from: 'side', history: [prompt('A summary, please.')] }, 'said "a summary"'],
  ['and gets a short answer without one', { from: 'side', tools: [] }, 'a side call'],
  ['no rule matches', { history: [prompt('Hello.')] }, 'no rule matches'],
  ['the agent has no such tool', { tools: tools('Read') }, 'no tool for write'],
]

test.each(CASES)('%s', (_, options, answer) => {
  const { summary } = answerTo(request(options), SCENARIO, '', new LabMemory(), 0)
  expect(summary.slice(0, answer.length)).toBe(answer)
})

test('the second session of a task is recognized, and another run starts again', () => {
  const memory = new LabMemory()
  const summaryOf = (session: string, run: string) => answerTo(request({ session }), SCENARIO, run, memory, 0).summary
  expect(summaryOf('one', 'a')).toMatch(/^Write /)
  expect(summaryOf('two', 'a')).toMatch(/^said "session 2 of [$]{task}"$/)
  expect(summaryOf('one', 'a')).toMatch(/^Write /)
  expect(summaryOf('two', 'b')).toMatch(/^Write /)
})

test('the script continues after a compaction, also in later rounds', () => {
  const memory = new LabMemory()
  const summaryOf = (history: readonly HistoryEntry[], from: ModelRequest['from'] = 'agent') => {
    return answerTo(request({ history, from }), SCENARIO, '', memory, 0).summary
  }
  expect(summaryOf([brief()])).toMatch(/^Write /)
  expect(summaryOf([brief(), ...WRITTEN, prompt('Sum it up.')], 'side')).toBe('a side call')
  const summary: HistoryEntry = { kind: 'compacted', summary: 'Noted.' }
  expect(summaryOf([summary])).toMatch(/^mcp__longhaul__report /)
  expect(summaryOf([summary, ...WRITTEN])).toMatch(/^mcp__longhaul__report /)
  const reported = [called('m', 'mcp__longhaul__report', {}), returned('m', '')]
  expect(summaryOf([summary, ...reported])).toMatch(/^Bash /)
  expect(summaryOf([summary, ...reported, prompt('Go on.')])).toMatch(/^Write /)
})

test('the script continues after a second compaction with the same summary', () => {
  const memory = new LabMemory()
  const summaryOf = (history: readonly HistoryEntry[], from: ModelRequest['from'] = 'agent') => {
    return answerTo(request({ history, from }), SCENARIO, '', memory, 0).summary
  }
  const summary: HistoryEntry = { kind: 'compacted', summary: 'Noted.' }
  const reported = [called('m', 'mcp__longhaul__report', {}), returned('m', '')]
  summaryOf([brief()])
  summaryOf([brief(), ...WRITTEN, prompt('Sum it up.')], 'side')
  expect(summaryOf([summary])).toMatch(/^mcp__longhaul__report /)
  summaryOf([summary, ...reported, prompt('Sum it up.')], 'side')
  expect(summaryOf([summary])).toMatch(/^Bash /)
})

test('the script continues after compactions without new entries before them', () => {
  const memory = new LabMemory()
  const steps = ['a', 'b', 'c', 'd', 'e'].map((name) => `{ run: ${name} }`).join(', ')
  const long = scenario(`rules: [ { steps: [ ${steps} ] } ]`)
  const summaryOf = (history: readonly HistoryEntry[], from: ModelRequest['from'] = 'agent') => {
    return answerTo(request({ history, from }), long, '', memory, 0).summary
  }
  const ran = (id: string) => [called(id, 'Bash', {}), returned(id, '')]
  const summary: HistoryEntry = { kind: 'compacted', summary: 'Noted.' }
  expect(summaryOf([prompt('Go.')])).toContain('"a"')
  expect(summaryOf([prompt('Go.'), ...ran('1')])).toContain('"b"')
  summaryOf([prompt('Go.'), ...ran('1'), prompt('Sum it up.')], 'side')
  expect(summaryOf([summary, ...ran('2')])).toContain('"c"')
  expect(summaryOf([summary, ...ran('2'), ...ran('3')])).toContain('"d"')
  summaryOf([summary, ...ran('2'), ...ran('3'), prompt('Sum it up.')], 'side')
  expect(summaryOf([summary, ...ran('4')])).toContain('"e"')
})

test('a fault applies as often as it says, for each task separately', () => {
  const flaky = scenario('rules: [ { steps: [ { say: end, fault: { status: 529, times: 2 } } ] } ]')
  const memory = new LabMemory()
  const summaryOf = (folder: string) =>
    answerTo(request({ folder, history: [prompt('Go.')] }), flaky, '', memory, 0).summary
  expect(['/a-a1', '/a-a1', '/b-a1', '/a-a1', '/b-a1', '/b-a1'].map(summaryOf)).toEqual([
    'status 529',
    'status 529',
    'status 529',
    'said "end"',
    'status 529',
    'said "end"',
  ])
})

test('a limit ends after its time, counted from the first request', () => {
  const limited = scenario('rules: [ { steps: [ { say: end, fault: { limit: "+10" } } ] } ]')
  const memory = new LabMemory()
  const at = (now: number) => answerTo(request({}), limited, '', memory, now).reply
  expect(at(5_000)).toEqual({ kind: 'failure', failure: { kind: 'limit', resetAt: 15_000, now: 5_000 } })
  expect(at(14_999)).toEqual({ kind: 'failure', failure: { kind: 'limit', resetAt: 15_000, now: 14_999 } })
  expect(at(15_000)).toMatchObject({ kind: 'message' })
})

test('usage comes from the step, then from the scenario, then from an estimate; or there is none', () => {
  const steps = 'steps: [ { run: ls, usage: { cacheRead: 5 } }, { say: end } ]'
  const usage = (text: string, history: readonly HistoryEntry[]) => {
    const { reply } = answerTo(request({ history }), scenario(text), '', new LabMemory(), 0)
    return reply.kind === 'message' ? reply.message.usage : null
  }
  const later = [brief(), called('l', 'Bash', {}), returned('l', '')]
  const scripted = { input: 0, cacheRead: 5, cacheWrite: 0, output: 0 }
  expect(usage(`rules: [ { ${steps} } ]`, [brief()])).toEqual(scripted)
  expect(usage(`{ usage: { input: 7 }, rules: [ { ${steps} } ] }`, later)).toEqual({
    ...scripted,
    input: 7,
    cacheRead: 0,
  })
  expect(usage('{ usage: { input: 7 }, rules: [ { steps: [ { run: ls, usage: none } ] } ] }', [brief()])).toBeNull()
  expect(usage(`rules: [ { ${steps} } ]`, later)).toEqual({ input: 30, cacheRead: 1000, cacheWrite: 0, output: 2 })
})

function brief(): HistoryEntry {
  return prompt('# greet: Greet the world\n\nWrite a greeting.')
}

function prompt(text: string): HistoryEntry {
  return { kind: 'prompt', text }
}

function remark(text: string): HistoryEntry {
  return { kind: 'remark', text }
}

function called(id: string, tool: string, input: unknown): HistoryEntry {
  return { kind: 'tool-call', id, tool, input }
}

function returned(id: string, text: string, isError = false): HistoryEntry {
  return { kind: 'tool-result', id, text, isError }
}

/** Makes tools by name; those in parentheses are deferred. */
function tools(...names: readonly string[]): ModelRequest['tools'] {
  return names.map((name) => ({ name: name.replaceAll(/[()]/g, ''), isDeferred: name.startsWith('(') }))
}

function request(options: Partial<ModelRequest>): ModelRequest {
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
    ...options,
  }
}

function scenario(text: string): Scenario {
  const parsed: Scenario | Problem = parseScenario('s.yaml', text)
  if ('kind' in parsed) throw new Error(parsed.message)
  return parsed
}
